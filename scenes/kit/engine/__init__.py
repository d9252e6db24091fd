"""Tokens, queues, budgets: what an engine does."""
