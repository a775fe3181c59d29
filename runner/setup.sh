#!/usr/bin/env bash
# Makes the virtual environment named by $1 hold exactly what requirements.lock says, plus this project, editable.
# Needs a Python >= 3.11 and nothing else. Every download is checked against the lock's hashes.
set -euo pipefail
venv=$1

# The newest Python that was built with optimisation, or else the newest. checks/interpreter.py has the same rule.
best_python() {
  for needs_optimised in True False; do
    for python in ${PYTHON:-python3.15 python3.14 python3.13 python3.12 python3.11 python3}; do
      if "$python" - "$needs_optimised" 2>/dev/null <<'END'
import ensurepip, sys, sysconfig
options = sysconfig.get_config_var("CONFIG_ARGS")
optimised = options is None or "--enable-optimizations" in options or "/usr/share/python-wheels" in options
sys.exit(sys.version_info < (3, 11) or (sys.argv[1] == "True" and not optimised))
END
      then
        command -v "$python"
        return
      fi
    done
  done
  echo "Plaudit needs Python 3.11 or newer with venv, and ${PYTHON:-python3} is not. On Debian and Ubuntu:" \
    "apt install python3-venv. Say where another Python is: make setup PYTHON=/path/to/python3" >&2
  return 1
}

make_venv() {
  python=$(best_python)
  "$python" -m venv --clear "$venv"
}

# One requirement of the lock with its hashes.
locked() { awk -v name="$1" '/^[^ ]/ { mine = index($0, name "==") == 1 } mine' requirements.lock; }

install_with_uv() {
  pip install --require-hashes --no-deps -r <(locked uv)
  "$venv/bin/uv" pip sync --system-certs --quiet --compile-bytecode --python "$venv/bin/python" --require-hashes requirements.lock
}

# pip reads the machine's own configuration (mirrors, proxies), which uv does not.
install_with_pip() {
  echo "uv could not install the lock; trying pip, which is slower" >&2
  pip install --require-hashes --no-deps -r requirements.lock
}

pip() { "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }

# An incomplete venv, which an interrupted setup leaves, is replaced.
"$venv/bin/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || make_venv
echo "Installing the locked packages into $venv, for $("$venv/bin/python" --version) …"
install_with_uv || install_with_pip
pip install --no-deps --no-build-isolation --editable .
