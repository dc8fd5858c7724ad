"""How well the readers read labelled photographs."""
