"""Pictures as they come: frames, photographs, clips, and smaller copies."""
