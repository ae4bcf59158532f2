#!/bin/sh
# Loads the files that "dialplane carriers setup" has written for one engine. Run it as root on the engine's machine:
#   load.sh FOLDER             copies the files; the engine starts, or loads what it can load while calls go on
#   load.sh --restart FOLDER   restarts the engine as soon as it has no calls; it takes no new ones until then
set -eu

restart=
if [ "${1:-}" = --restart ]; then restart=yes; shift; fi
folder=${1:?"usage: load.sh [--restart] FOLDER"}
ROOT=${ROOT-}
[ -n "$ROOT" ] || [ ! -r /etc/default/dialplane-asterisk ] || . /etc/default/dialplane-asterisk
in_root() { if [ -z "$ROOT" ]; then "$@"; else chroot "$ROOT" "$@"; fi; }

# Ports, modules and the addresses of SIP are read at the start alone.
fixed() { cat "$1/asterisk.conf" "$1/modules.conf" "$1/http.conf" "$1/rtp.conf" "$1/chan_websocket.conf"
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
  in_root asterisk -rx "core restart gracefully"
  echo "the engine restarts when its calls have ended"
else
  in_root asterisk -rx "core reload" > /dev/null
  echo "the engine has loaded the files"
  [ "$before" = "$after" ] || echo "Ports, addresses or modules have changed: run load.sh --restart $folder"
fi
