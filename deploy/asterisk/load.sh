#!/bin/sh
# Loads the files that "dialplane carriers setup" has written for one engine. Run it as root on the engine's machine:
#   load.sh FOLDER             copies the files; the engine starts, or loads what it can load while calls continue
#   load.sh --restart FOLDER   restarts the engine at the first moment without a call; until then it takes new ones
set -eu

restart=
if [ "${1:-}" = --restart ]; then restart=yes; shift; fi
folder=${1:?"usage: load.sh [--restart] FOLDER"}
ROOT=${ROOT-}
[ -n "$ROOT" ] || [ ! -r /etc/default/dialplane-asterisk ] || . /etc/default/dialplane-asterisk
in_root() { if [ -z "$ROOT" ]; then "$@"; else chroot "$ROOT" "$@"; fi; }

# Asterisk reads ports and the addresses of SIP only at its start.
fixed() { cat "$1/asterisk.conf" "$1/http.conf" "$1/rtp.conf" "$1/chan_websocket.conf"
  sed -n '/^\[transport-/,/^$/p; /^\[system\]/,/^$/p' "$1/pjsip.conf"; }
before=$(fixed "$ROOT/etc/asterisk" 2>/dev/null | sha256sum)
# The files that came with the package would be read too.
if [ ! -e "$ROOT/etc/asterisk/package" ]; then
  mkdir "$ROOT/etc/asterisk/package"
  find "$ROOT/etc/asterisk" -maxdepth 1 -name '*.conf' -exec mv {} "$ROOT/etc/asterisk/package/" \;
fi
for file in "$folder"/*.conf; do
  install -m 0600 "$file" "$ROOT/etc/asterisk/${file##*/}"
  in_root chown asterisk:asterisk "/etc/asterisk/${file##*/}"
done
after=$(fixed "$ROOT/etc/asterisk" | sha256sum)

if command -v nft > /dev/null; then
  install -D -m 0600 "$folder/sip.nft" /etc/dialplane-asterisk/sip.nft
  nft -f /etc/dialplane-asterisk/sip.nft
else
  echo "nftables is not installed: nothing limits strangers at the SIP ports" >&2
fi

if ! in_root asterisk -rx "core show version" > /dev/null 2>&1; then
  if [ -d /run/systemd/system ]; then systemctl start dialplane-asterisk; echo "the engine was started"
  else echo "Start the engine: chroot ${ROOT:-/} asterisk -f -U asterisk"
  fi
elif [ -n "$restart" ]; then
  # "gracefully" would refuse new calls until the last one has ended, calls of telephones to 911 too.
  echo "the engine restarts when it has no call; to cancel that: asterisk -rx 'core abort shutdown'"
  in_root asterisk -rx "core restart when convenient"
else
  # A module that is new in the files is loaded while calls continue.
  running=$(in_root asterisk -rx "module show" | sed -n 's/^\([^ ]*\.so\) .*/\1/p')
  sed -n 's/^load = //p' "$folder/modules.conf" | while read -r module; do
    echo "$running" | grep -qxF "$module" || in_root asterisk -rx "module load $module" > /dev/null
  done
  in_root asterisk -rx "core reload" > /dev/null
  echo "the engine has loaded the files"
  [ "$before" = "$after" ] || echo "Ports or addresses have changed: run load.sh --restart $folder"
fi
