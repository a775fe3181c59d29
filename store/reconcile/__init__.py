"""The statements and commands of reconciliation, which compares derived values with their rows and corrects them."""
