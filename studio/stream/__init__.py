"""Coded pictures and the files that hold them: H.264 and MP4."""
