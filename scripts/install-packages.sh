#!/bin/sh
# Installs the Debian packages listed in the given files, those that are missing only. Root or sudo is needed only if some are.
set -eu

wanted=$(cat "$@" | sed 's/#.*//' | tr -s ' \n' ' ')
missing=
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "These packages are missing:$missing" >&2
  echo "Install them as root, or install sudo, then try again." >&2
  exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends $missing
