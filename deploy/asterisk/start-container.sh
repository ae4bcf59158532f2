#!/bin/sh
# Starts Asterisk in its container with the files of /config, which "dialplane carriers setup" has written.
set -eu

# Without the files that came with the package.
rm -f /etc/asterisk/*.conf
for file in /config/*.conf; do
  install -o asterisk -g asterisk -m 0600 "$file" "/etc/asterisk/${file##*/}"
done
# A certificate for TLS, until you put one there that your providers accept.
if [ ! -e /etc/asterisk/keys/sip.crt ]; then
  (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=$(hostname)" \
    -keyout /etc/asterisk/keys/sip.key -out /etc/asterisk/keys/sip.crt 2> /dev/null)
  chown asterisk:asterisk /etc/asterisk/keys/sip.key /etc/asterisk/keys/sip.crt
fi
install -d -o asterisk -g asterisk -m 0750 /run/asterisk
# Asterisk never empties its cache of sounds.
(while sleep 3600; do empty-media-cache.sh; done) &
exec asterisk -f -U asterisk -G asterisk
