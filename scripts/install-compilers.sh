#!/bin/sh
# Installs Debian's GCC and clang where they are missing: the tests of native programs compile with both.
set -eu

missing=''
for pair in gcc:gcc g++:g++ clang:clang clang++:clang llvm-symbolizer:llvm; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
[ -z "$missing" ] && exit 0

fail() {
  echo "These are missing and cannot be installed:$missing: $1." >&2
  echo "Install GCC, G++, clang and llvm-symbolizer by other means." >&2
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

echo "Installing$missing with apt-get …" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2 || fail 'apt-get update failed'
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing libc6-dev >&2 || fail 'apt-get install failed'
