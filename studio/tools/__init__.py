"""What the commands for developers are made of."""
