"""From an act to films and slides: pipeline.py is the way through.

draw/ plays and draws acts · stream/ codes pictures · render/ fills the store with segments ·
deliver/ makes films, decks and sites of them · tools/ serves the commands for developers.
"""
