"""How the dice reader looks, crops and doubts; `vision.read.dice.recogniser` puts it together."""
