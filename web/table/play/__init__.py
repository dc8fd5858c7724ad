"""The game on the table: its page, big screen, set-up, coach and event."""
