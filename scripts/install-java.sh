#!/usr/bin/env bash
# Installs a JDK and Maven from Debian's packages where they are missing: what watches Java programs is built and tested with them.
set -euo pipefail
if command -v mvn >/dev/null && command -v javac >/dev/null; then exit 0; fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends openjdk-17-jdk-headless maven
