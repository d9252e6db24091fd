"""Every picture: text, theme, boxes and arrows, furniture, cards."""
