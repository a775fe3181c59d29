"""Users, their identities and handles, follows, and the rows of blocks and mutes."""
