#!/usr/bin/env bash
# Install what rendering needs: system packages, a .venv, this project. Safe to run again.
#   ./setup.sh          to render          ./setup.sh --dev    to run the tests as well
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

extras=""
case "${1:-}" in
    "") ;;
    --dev) extras="[dev,deck]" ;;
    *) echo "usage: ./setup.sh [--dev]" >&2; exit 2 ;;
esac

say() { printf '== %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

python=""
for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 &&
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$name
        break
    fi
done
[ -n "$python" ] || fail "Python 3.11 or newer is needed; set PYTHON=/path/to/it if it is not on PATH"

# pycairo and manimpango have no wheels for Linux: they compile against pango's headers.
missing() {
    command -v pkg-config >/dev/null 2>&1 && pkg-config --exists pangocairo || echo pango
    command -v cc >/dev/null 2>&1 || echo compiler
    "$python" -c 'import os, sysconfig as s; raise SystemExit(
        not os.path.exists(os.path.join(s.get_path("include"), "Python.h")))' || echo headers
    "$python" -c 'import ensurepip, venv' 2>/dev/null || echo venv
}

lacks=$(missing | tr '\n' ' ')
if [ -n "$lacks" ]; then
    if command -v apt-get >/dev/null 2>&1; then
        packages="libpango1.0-dev pkg-config gcc python3-dev python3-venv"
        sudo=""
        if [ "$(id -u)" != 0 ]; then
            command -v sudo >/dev/null 2>&1 ||
                fail "missing: $lacks— as root run: apt-get install $packages"
            sudo=sudo
        fi
        say "installing system packages (missing: $lacks): $packages"
        $sudo apt-get update -qq || say "apt-get update failed; trying with the lists at hand"
        # shellcheck disable=SC2086
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages >/dev/null ||
            fail "apt-get could not install: $packages"
    elif command -v brew >/dev/null 2>&1; then
        say "installing pango and pkg-config with brew (missing: $lacks)"
        brew install pango pkg-config
    else
        fail "missing: $lacks— install pango's headers, pkg-config, a C compiler, Python's headers"
    fi
fi

if [ ! -x .venv/bin/python ]; then
    say "creating .venv with $($python --version)"
    "$python" -m venv .venv || fail "could not create .venv"
fi
say "installing the project${extras:+ and what its tests need}"
.venv/bin/python -m pip install -q --disable-pip-version-check -e ".$extras" ||
    fail "pip could not install the project; the lines above say why"
say "ready: .venv/bin/python render.py act04"
