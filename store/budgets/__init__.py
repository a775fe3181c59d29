"""Rate budgets."""
