"""The tests of the verb `bookmark` run in a copy of the checkout, not here."""

collect_ignore = ["bookmark"]
