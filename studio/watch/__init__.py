"""The author's live view: a page that shows a beat and draws it again when a file is saved."""
