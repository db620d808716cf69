#!/bin/sh
# Installs Debian's PostgreSQL and Redis where there are none: the tests of databases run against real servers, which they
# start and stop themselves. POSTGRES_BIN names the folder of another PostgreSQL's programs.
set -eu

postgres() {
  [ -n "${POSTGRES_BIN:-}" ] && [ -x "$POSTGRES_BIN/postgres" ] && return 0
  for folder in /usr/lib/postgresql/*/bin; do
    [ -x "$folder/postgres" ] && return 0
  done
  command -v postgres >/dev/null 2>&1 && command -v initdb >/dev/null 2>&1
}
redis() {
  command -v redis-server >/dev/null 2>&1
}
found() {
  postgres && redis
}
found && exit 0

fail() {
  echo "PostgreSQL or Redis was not found, and cannot be installed: $1." >&2
  echo "Install them by other means; POSTGRES_BIN names the folder of PostgreSQL's programs." >&2
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

# Several may want them at once, and apt-get lets only one work.
if command -v flock >/dev/null 2>&1; then
  exec 9>"${TMPDIR:-/tmp}/trackside-install-databases.lock"
  flock 9
  found && exit 0
fi

echo 'Installing PostgreSQL and Redis with apt-get …' >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2 || fail 'apt-get update failed'
# Without this, Debian makes a cluster and starts it.
$as_root sh -c 'mkdir -p /etc/postgresql-common && [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf'
$as_root apt-get install -y -qq --no-install-recommends postgresql redis-server >&2 || fail 'apt-get install failed'
found || fail 'the packages hold no servers'
