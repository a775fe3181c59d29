"""Prints the schema. `make schema` writes it to schema.graphql, which is reviewed and handed to clients."""

import sys

from schema import schema

sys.stdout.write(schema.as_str() + "\n")
