"""Messages that tell API processes which objects have changed, and feeds of changed objects for listeners."""
