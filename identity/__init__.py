"""Identity: reads and checks tokens."""
