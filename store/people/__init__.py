"""Users and follows."""
