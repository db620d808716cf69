#!/bin/sh
# Installs the drivers of databases that the tests use, unless those of test/stores/package-lock.json are there already.
# Not part of npm ci: better-sqlite3 is compiled where no binary can be downloaded.
set -eu
cd "$(dirname "$0")/../test/stores"

installed() {
  [ -f node_modules/.installed ] && cmp -s package-lock.json node_modules/.installed
}
installed && exit 0

# Several may want them at once.
if command -v flock >/dev/null 2>&1; then
  exec 9>"${TMPDIR:-/tmp}/trackside-install-drivers.lock"
  flock 9
  installed && exit 0
fi

../../scripts/install.sh compilers
echo 'Installing drivers of databases …' >&2
npm ci --no-audit --no-fund >&2 || {
  echo "The drivers cannot be installed: see above. The tests below test/stores need them." >&2
  exit 1
}
cp package-lock.json node_modules/.installed
