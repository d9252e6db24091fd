"""The film's spoken track: voices, lines that fit the plan, loudness, sound in the file."""
