"""Own sets: what users have done with objects."""
