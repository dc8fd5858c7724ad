"""Sets of pieces that players teach."""
