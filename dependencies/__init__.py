"""Parts of libraries that the libraries do not promise to keep: private names, and undocumented modules, attributes and
methods to override.

There is one module for each library, with the library's name. It gives these parts public names, so the rest of the
code uses nothing that is private (tests/dependencies/test_only_here.py). Each module says what it takes, why the
documented interface does not suffice, what its test checks, and what to do when the test fails after an upgrade.

The modules contain no logic of Plaudit, and import nothing of Plaudit.
"""
