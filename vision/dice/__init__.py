"""How the dice reader looks, crops and doubts; `vision.recognisers.dice` puts it together."""
