"""Who sits with whom: by constructions and search, or by standing."""
