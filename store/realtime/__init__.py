"""Messages to API processes about changed objects."""
