"""Golden dumps: everything that Tablescore writes and says, to compare before and after a move."""
