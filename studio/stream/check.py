"""Strict decoding of what was written: as many frames as planned, at an even pace, none corrupt."""

from pathlib import Path

import av

from studio.errors import StreamError
from studio.stream.h264 import first_misnumbered
from studio.stream.mp4 import ticks_per_frame

__all__ = ["check"]


def check(path: Path, count: int, fps: int, decode_copies: bool = True) -> None:
    """Decode a file strictly; StreamError unless it holds `count` frames at an even pace.

    `decode_copies=False` skips GOPs already decoded byte for byte, and the packets at a GOP's end
    that were decoded in another one. The frame_num of every picture is looked at: decoders differ
    in what they make of a wrong one.
    """
    try:
        with av.open(f"file:{path}", options={"err_detect": "explode"}) as file:
            stream = file.streams.video[0]
            stream.thread_type = "NONE"  # the other cores are drawing
            step = ticks_per_frame(stream, fps)
            packets = [packet for packet in file.demux(stream) if packet.size]
            times, decoded = [packet.pts or 0 for packet in packets], 0
            misnumbered = first_misnumbered(map(bytes, packets),
                                            stream.codec_context.extradata or b"")
            if misnumbered is not None:
                raise StreamError(f"{path.name}: picture {misnumbered} has a wrong number")
            kept = packets if decode_copies else _without_copies(packets)
            for packet in [*kept, None]:
                for frame in stream.decode(packet):
                    if frame.is_corrupt:
                        raise StreamError(f"{path.name}: frame at {frame.pts} is corrupt")
                    decoded += 1
    except (av.FFmpegError, IndexError) as error:
        raise StreamError(f"{path.name}: {error}") from error
    found = decoded + len(packets) - len(kept)
    if found != count:
        raise StreamError(f"{path.name}: {found} frames, planned {count}")
    if sorted(times) != [k * step for k in range(count)]:
        raise StreamError(f"{path.name}: its steps are not of one frame")


def _without_copies(packets: list[av.Packet]) -> list[av.Packet]:
    """The packets that `check` must decode; the others are copies of them."""
    groups: list[list[av.Packet]] = []  # of pictures
    for packet in packets:
        if packet.is_keyframe or not groups:
            groups.append([])
        groups[-1].append(packet)
    kept: list[av.Packet] = []
    known_groups, known_packets = set(), set()
    for group in groups:
        data = tuple(map(bytes, group))
        if data in known_groups:
            continue
        known_groups.add(data)
        end = 1
        for k in range(1, len(group)):
            if data[k] not in known_packets:
                known_packets.add(data[k])
                end = k + 1
        kept += group[:end]
    return kept
