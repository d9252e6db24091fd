"""Sound as arrays: float32, mono, between -1 and 1. Trimming, resampling, fading, WAV files."""

import wave
from math import gcd
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from studio.voice.slots import RATE

__all__ = ["SoundError", "fade", "read_wav", "resample", "trim"]

QUIET = 10 ** (-45 / 20)  # of the loudest sample: what lies below, before and after, is silence
MARGIN = 0.015  # seconds kept around what is heard
FADE = 0.005  # seconds: long enough that no click is heard, short enough to keep a consonant


class SoundError(ValueError):
    """A sound file cannot be read; the message names it."""


def trim(samples: np.ndarray, rate: int) -> np.ndarray:
    """Without the silence before and after; of silence alone nothing is left."""
    loud = np.abs(samples)
    heard = np.flatnonzero(loud > QUIET * loud.max(initial=0))
    if not len(heard):
        return samples[:0]
    margin = round(MARGIN * rate)
    return samples[max(0, heard[0] - margin):heard[-1] + 1 + margin]


def resample(samples: np.ndarray, rate: int) -> np.ndarray:
    """At RATE samples a second."""
    if rate == RATE:
        return samples
    shared = gcd(rate, RATE)
    out: np.ndarray = resample_poly(samples, RATE // shared, rate // shared)
    return out.astype(np.float32)


def fade(samples: np.ndarray, rate: int = RATE) -> np.ndarray:
    """Rising from and falling to nothing, so that no join clicks."""
    out = samples.copy()
    ramp = np.linspace(0, 1, min(round(FADE * rate), len(out) // 2), dtype=np.float32)
    out[:len(ramp)] *= ramp
    out[len(out) - len(ramp):] *= ramp[::-1]
    return out


def read_wav(path: Path) -> tuple[np.ndarray, int]:
    """Samples, channels mixed to one, and rate of a PCM WAV file. Raises SoundError."""
    try:
        with wave.open(str(path), "rb") as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            data = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise SoundError(f"{path.name}: not a PCM WAV file ({error})") from error
    if width == 3:  # 24 bits: the upper three bytes of 32
        packed = np.frombuffer(data, np.uint8).reshape(-1, 3)
        whole = np.zeros((len(packed), 4), np.uint8)
        whole[:, 1:] = packed
        samples = whole.view("<i4").ravel() / 2.0**31
    elif width == 1:
        samples = (np.frombuffer(data, np.uint8) - 128.0) / 128
    else:
        samples = np.frombuffer(data, f"<i{width}") / 2.0 ** (8 * width - 1)
    return samples.reshape(-1, channels).mean(axis=1).astype(np.float32), rate
