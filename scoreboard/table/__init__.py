"""The application layer: messages, session, confirming, inbox and the ports it needs."""
