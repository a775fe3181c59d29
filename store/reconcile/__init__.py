"""The statements and commands of reconciliation: what is derived is compared with its rows, and put right."""
