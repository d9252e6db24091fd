"""Loudness after EBU R128: the whole track at one level, its peaks held below a ceiling."""

import numpy as np
import pyloudnorm
from scipy.ndimage import minimum_filter1d, uniform_filter1d
from scipy.signal import resample_poly

from studio.voice.slots import RATE

__all__ = ["CEILING", "LOUDNESS", "levelled", "loudness", "true_peak"]

LOUDNESS = -16.0  # LUFS, integrated over the track
CEILING = -1.0  # dB of full scale: no peak reaches it, not even between samples
HEADROOM = 1.0  # dB that coding may add to a peak
OVERSAMPLING = 4  # as BS.1770 asks for at 48 kHz
LOOK_AHEAD = 0.004  # seconds over which the limiter turns down before a peak and up after it
CLOSE = 0.1  # LUFS: near enough
ROUNDS = 4  # limiting takes a little loudness away; so often, at most, it is given back


def loudness(samples: np.ndarray, rate: int = RATE) -> float:
    """Integrated loudness in LUFS; minus infinity for silence or less than 0.4 s."""
    if len(samples) < 0.4 * rate:
        return -np.inf
    with np.errstate(divide="ignore"):
        return float(pyloudnorm.Meter(rate).integrated_loudness(samples.astype(np.float64)))


def true_peak(samples: np.ndarray) -> float:
    """The highest peak in dB of full scale, those between samples included."""
    with np.errstate(divide="ignore"):
        return float(20 * np.log10(np.abs(_oversampled(samples)).max(initial=0)))


def levelled(samples: np.ndarray, target: float = LOUDNESS) -> np.ndarray:
    """The track at `target` LUFS with no peak above the ceiling; silence stays silence."""
    found, gain, out = loudness(samples), 0.0, samples
    if not np.isfinite(found):
        return samples
    peaks = np.abs(_oversampled(samples)).reshape(-1, OVERSAMPLING).max(axis=1)
    for _ in range(ROUNDS):
        if abs(found - target) < CLOSE:
            break
        gain += target - found
        factor = np.float32(10 ** (gain / 20))
        out = samples * (factor * _turned_down(peaks * factor))
        found = loudness(out)
    return out


def _oversampled(samples: np.ndarray) -> np.ndarray:
    out: np.ndarray = resample_poly(samples, OVERSAMPLING, 1)
    return out


def _turned_down(peaks: np.ndarray) -> np.ndarray:
    """Factors, smooth, that bring every peak below the ceiling; 1 where none is near."""
    ceiling = np.float32(10 ** ((CEILING - HEADROOM) / 20))
    wanted = np.minimum(1, ceiling / np.maximum(peaks, ceiling))
    half = round(LOOK_AHEAD * RATE)
    # the least of a window, averaged twice over half of it, is nowhere above what is wanted
    held = minimum_filter1d(wanted, 2 * half + 1)
    out: np.ndarray = uniform_filter1d(uniform_filter1d(held, half), half)
    return out
