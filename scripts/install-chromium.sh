#!/bin/sh
# Installs Debian's Chromium where none is found: the tests of the pages run in a real browser.
# Finds what test/support/browser.ts finds: CHROMIUM_PATH, or a browser on PATH.
set -eu

if [ -n "${CHROMIUM_PATH:-}" ]; then
  [ -x "$CHROMIUM_PATH" ] && exit 0
  echo "CHROMIUM_PATH is '$CHROMIUM_PATH', which is no program; unset it, or set it to a Chromium." >&2
  exit 1
fi

found() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null 2>&1 && return 0
  done
  return 1
}
found && exit 0

fail() {
  echo "No Chromium was found, and it cannot be installed: $1." >&2
  echo "Install Chromium or Google Chrome by other means, and set CHROMIUM_PATH unless it is on PATH." >&2
  exit 1
}

command -v apt-get >/dev/null 2>&1 || fail 'there is no apt-get'
if [ "$(id -u)" -eq 0 ]; then
  as_root=''
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root='sudo -n'
else
  fail 'that takes root, or sudo without a password'
fi

# Several may want it at once, and apt-get lets only one work.
if command -v flock >/dev/null 2>&1; then
  exec 9>"${TMPDIR:-/tmp}/trackside-install-chromium.lock"
  flock 9
  found && exit 0
fi

echo 'Installing Chromium with apt-get …' >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2 || fail 'apt-get update failed'
$as_root apt-get install -y -qq --no-install-recommends chromium >&2 || fail 'apt-get install failed'
found || fail 'the package holds no chromium'
