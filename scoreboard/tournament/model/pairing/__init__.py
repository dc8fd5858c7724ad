"""Who meets whom where two play: Swiss, round robin, single and double elimination."""
