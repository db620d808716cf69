#!/bin/sh
# Installs the drivers of databases that the tests use, and a server for those of MongoDB, unless what test/stores/package-lock.json
# and test/stores/mongodb-server/pom.xml say is there already.
# Not part of npm ci: better-sqlite3 and sqlite3 are compiled where no binary can be downloaded.
set -eu
cd "$(dirname "$0")/../test/stores"

wanted() {
  cat package-lock.json mongodb-server/pom.xml
}
installed() {
  [ -f node_modules/.installed ] && wanted | cmp -s - node_modules/.installed
}
installed && exit 0

# Several may want them at once.
if command -v flock >/dev/null 2>&1; then
  exec 9>"${TMPDIR:-/tmp}/trackside-install-drivers.lock"
  flock 9
  installed && exit 0
fi

fail() {
  echo "$1 cannot be installed: see above. The tests below test/stores need it." >&2
  exit 1
}

../../scripts/install.sh compilers java
echo 'Installing drivers of databases …' >&2
# A run that was interrupted must not compile what is there.
if ! [ -f node_modules/.drivers ] || ! cmp -s package-lock.json node_modules/.drivers; then
  # SQLite takes a fraction of the time to compile so, and the tests ask little of it.
  CFLAGS=-O0 CXXFLAGS=-O0 npm ci --no-audit --no-fund >&2 || fail 'A driver'
  cp package-lock.json node_modules/.drivers
fi
echo 'Installing a server that speaks the protocol of MongoDB …' >&2
mvn -q -B -f mongodb-server/pom.xml dependency:copy-dependencies \
  "-DoutputDirectory=$PWD/node_modules/.mongodb-server" >&2 || fail 'The server'
wanted >node_modules/.installed
