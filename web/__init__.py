"""The page and the command line: the outermost layer."""
