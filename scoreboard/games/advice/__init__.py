"""What can be worked out about a game beyond its rules: values, luck, chances, fairness."""
