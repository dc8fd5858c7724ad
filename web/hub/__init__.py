"""The hub of an event as pages: who may come in, what they see, what they may do."""
