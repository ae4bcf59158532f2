#!/bin/sh
# Removes sounds from Asterisk's media cache that are older than an hour. Asterisk itself never does.
set -eu

ROOT=${ROOT-}
[ -n "$ROOT" ] || [ ! -r /etc/default/dialplane-asterisk ] || . /etc/default/dialplane-asterisk
in_root() { if [ -z "$ROOT" ]; then "$@"; else chroot "$ROOT" "$@"; fi; }
# Another file of settings, for an engine that does not use the package's file.
asterisk() { in_root asterisk ${ASTERISK_CONF:+-C "$ASTERISK_CONF"} -rx "$1"; }

# Two lines for each sound: its address, and its file behind a tab.
asterisk "media cache show all" | while IFS= read -r line; do
  case $line in
    http://*|https://*) address=${line%% *} ;;
    "	/"*)
      file=${line#?}
      file=$ROOT${file%% *}
      if [ ! -e "$file" ] || [ -n "$(find "$file" -mmin +"${MINUTES:-60}")" ]; then
        asterisk "media cache delete $address" < /dev/null
      fi ;;
  esac
done
