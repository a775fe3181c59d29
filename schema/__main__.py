"""Prints the schema: `python -m schema > schema.graphql` renews the copy that is reviewed and handed to clients."""

import sys

from schema import schema

sys.stdout.write(schema.as_str() + "\n")
