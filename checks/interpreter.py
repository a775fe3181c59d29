"""Checks whether the Python interpreter that runs this process was built with optimisation."""

import platform
import sysconfig

from checks.findings import Finding, Severity, assess

_OPTIMISED = "--enable-optimizations", "/usr/share/python-wheels"
"""Texts that the build options of an optimised interpreter contain. The second one is for the packages of Debian and
Ubuntu, which are optimised without the first option.
"""


def finding() -> Finding:
    """Returns the finding about the interpreter: a warning if it was built without profile-guided optimisation."""
    version = f"Python {platform.python_version()}"
    is_optimised = optimised(sysconfig.get_config_var("CONFIG_ARGS"))
    fact = f"{version} was built {'with' if is_optimised else 'without'} optimisation"
    return assess(
        "settings.interpreter",
        is_optimised,
        Severity.WARNING,
        fact,
        "requests take 8 to 16 % more CPU time; use the Python of your distribution, of the official container "
        "images, or one built with --enable-optimizations --with-lto",
    )


def optimised(options: str | None) -> bool:
    """Returns whether these options of `configure` build an optimised interpreter. None stands for systems that have no
    such options, whose interpreters are optimised.
    """
    return options is None or any(part in options for part in _OPTIMISED)
