#!/bin/sh
# Installs what tests need from Debian's packages, where it is missing: install.sh chromium|compilers|databases|java …
# The tests call it themselves; CHROMIUM_PATH names another browser, POSTGRES_BIN the folder of another PostgreSQL's programs.
set -eu

has() {
  for program in "$@"; do
    command -v "$program" >/dev/null 2>&1 || return 1
  done
}

has_chromium() {
  if [ -n "${CHROMIUM_PATH:-}" ]; then
    [ -x "$CHROMIUM_PATH" ] && return 0
    echo "CHROMIUM_PATH is '$CHROMIUM_PATH', which is no program; unset it, or set it to a Chromium." >&2
    exit 1
  fi
  has chromium || has chromium-browser || has google-chrome || has google-chrome-stable
}
has_compilers() {
  has gcc g++ clang clang++ llvm-symbolizer make python3
}
has_postgres() {
  [ -n "${POSTGRES_BIN:-}" ] && [ -x "$POSTGRES_BIN/postgres" ] && return 0
  for folder in /usr/lib/postgresql/*/bin; do
    [ -x "$folder/postgres" ] && return 0
  done
  has postgres initdb
}
has_databases() {
  has_postgres && has redis-server
}
has_java() {
  has javac mvn
}

packages_of() {
  case $1 in
  chromium) echo chromium ;;
  compilers) echo gcc g++ clang llvm libc6-dev make python3 ;;
  databases) echo postgresql redis-server ;;
  java) echo openjdk-17-jdk-headless maven ;;
  esac
}

fail() {
  echo "$what: not found, and $(packages_of "$what") cannot be installed: $1. Install it by other means." >&2
  exit 1
}

install_packages() {
  has apt-get || fail 'there is no apt-get'
  if [ "$(id -u)" -eq 0 ]; then
    as_root=''
  elif has sudo && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
  else
    fail 'that takes root, or sudo without a password'
  fi
  echo "Installing $(packages_of "$what") with apt-get …" >&2
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq >&2 || fail 'apt-get update failed'
  if [ "$what" = databases ]; then
    # Without this, Debian makes a cluster and starts it.
    $as_root sh -c 'mkdir -p /etc/postgresql-common && [ -e /etc/postgresql-common/createcluster.conf ] ||
      echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf'
  fi
  # shellcheck disable=SC2046
  $as_root apt-get install -y -qq --no-install-recommends $(packages_of "$what") >&2 || fail 'apt-get install failed'
  "has_$what" || fail 'the packages do not hold it'
}

for what in "$@"; do
  [ -n "$(packages_of "$what")" ] || {
    echo "install.sh: '$what'; expected chromium, compilers, databases or java" >&2
    exit 2
  }
  "has_$what" && continue
  # Several may want something at once, and apt-get lets only one work.
  if has flock; then
    exec 9>"${TMPDIR:-/tmp}/trackside-install.lock"
    flock 9
    "has_$what" && continue
  fi
  install_packages
done
