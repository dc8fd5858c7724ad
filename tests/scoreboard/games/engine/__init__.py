"""What a rulebook is."""
