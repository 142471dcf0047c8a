# ensure_venv LOCKFILE: a virtual environment in .venv that holds exactly what the lock names, and us.

ensure_venv() {
  local lock="$1" python="${PYTHON:-python3}" mark
  if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "AURUM needs Python 3.11 or newer; '$python' is older or missing. Set PYTHON=/path/to/python3." >&2
    exit 1
  fi
  mark=".venv/.installed-$lock-$(cat "$lock" pyproject.toml | cksum | tr -d ' \t')"
  [ -f "$mark" ] && return
  # A development environment holds everything the plain one needs.
  if [ "$lock" = requirements.lock ] && [ -f ".venv/.installed-requirements-dev.lock-$(cat requirements-dev.lock pyproject.toml | cksum | tr -d ' \t')" ]; then
    return
  fi
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  echo "Installing (once) ..." >&2
  if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python .venv/bin/python --require-hashes -r "$lock"
    uv pip install --quiet --python .venv/bin/python --no-deps -e .
  else
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
  fi
  touch "$mark"
}
