"""What is made of a film: package, captions, decks, exports, site."""
