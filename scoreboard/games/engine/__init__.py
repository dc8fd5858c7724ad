"""What a rulebook is: options, scoresheet, event log, rule texts."""
