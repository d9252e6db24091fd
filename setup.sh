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
# Run pip, saying every few seconds what it is at; what went wrong is shown whole.
watched_pip() {
    log=$(mktemp)
    "$@" >"$log" 2>&1 &
    pip=$!
    before=""
    while kill -0 "$pip" 2>/dev/null; do
        now=$(grep -oE '^ *(Collecting|Building wheel for|Installing collected packages)[^:(]*' "$log" |
            tail -n 1 | cut -c1-70 || true)
        [ "$now" = "$before" ] || printf '   %s\n' "${now#"${now%%[! ]*}"}"
        before=$now
        sleep 2
    done
    if wait "$pip"; then rm -f "$log"; else
        tail -n 25 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

# pycairo's build writes the interpreter's path between single quotes: where the folder's own path
# holds one, its wheel is built by an interpreter elsewhere.
wheels=""
case "$PWD" in *"'"*)
    if ! .venv/bin/python -c 'import cairo' 2>/dev/null; then
        say "building pycairo aside, since this folder's path holds an apostrophe"
        wheels=$(mktemp -d)
        "$python" -m venv "$wheels/venv" || fail "could not create a virtual environment in $wheels"
        watched_pip "$wheels/venv/bin/python" -m pip wheel --disable-pip-version-check --no-deps \
            -w "$wheels" pycairo manimpango || fail "pip could not build pycairo; see above"
    fi ;;
esac

say "installing the project${extras:+ and what its tests need}; the first time takes one to two minutes"
watched_pip .venv/bin/python -m pip install --disable-pip-version-check \
    ${wheels:+--find-links "$wheels"} -e ".$extras" ||
    fail "pip could not install the project; the lines above say why"
[ -z "$wheels" ] || rm -rf "$wheels"
say "ready: .venv/bin/python render.py act04"
