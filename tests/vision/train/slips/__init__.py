"""Teaching the slip reader."""
