"""Messages that tell API processes what has changed."""
