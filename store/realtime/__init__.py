"""Events that tell API processes what changed."""
