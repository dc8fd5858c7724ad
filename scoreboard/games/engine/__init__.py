"""The parts of a rulebook: options, scoresheet, event log, rule texts."""
