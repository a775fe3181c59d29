"""Identity: verifies tokens, reads their claims, and checks their permissions."""
