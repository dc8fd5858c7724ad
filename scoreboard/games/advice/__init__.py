"""What would have been best: advice that rulebooks themselves never give."""
