"""How fields are answered: domain rows out of loaders and commands. Nothing here knows a GraphQL type."""
