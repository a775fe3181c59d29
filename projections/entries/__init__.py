"""The projections: one module for each kind of journal entry. To add a projection, add a module with a `PROJECTION`."""
