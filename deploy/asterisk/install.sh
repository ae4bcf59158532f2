#!/bin/sh
# Installs Asterisk 22 on Debian or Ubuntu, as an engine of Dialplane. Run it as root: install.sh [ROOT]
# Where the distribution has Asterisk 22.9 or newer, its package is installed. Where it has not, Debian's own package of
# a newer release is installed into a separate root folder, /var/lib/dialplane-asterisk; nothing else of that release
# comes to the machine. A second run installs what is missing.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
release=forky
# Without one, debootstrap takes Debian's own.
mirror=${DEBIAN_MIRROR:-}

apt-get update -qq
candidate=$(apt-cache policy asterisk | sed -n 's/ *Candidate: \([0-9]*:\)\{0,1\}\([0-9].*\)/\2/p')
# 22.9 and 23.3 report the statuses of refusals correctly, and have what "carriers setup" writes.
is_new_enough() {
  case $1 in
    23.*) dpkg --compare-versions "$1" ge 23.3 ;;
    *) dpkg --compare-versions "$1" ge 22.9 ;;
  esac
}
if [ $# -gt 0 ]; then root=${1%/}
elif is_new_enough "${candidate:-0}"; then root=
else root=/var/lib/dialplane-asterisk
fi

export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq --no-install-recommends --no-upgrade ca-certificates nftables openssl
if [ -z "$root" ]; then
  apt-get install -y -qq --no-install-recommends asterisk
else
  if [ ! -x "$root/usr/sbin/asterisk" ]; then
    apt-get install -y -qq --no-install-recommends debootstrap
    scripts=/usr/share/debootstrap/scripts
    [ -e "$scripts/$release" ] && script=$scripts/$release || script=$scripts/sid
    [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$release" "$root" "$mirror" "$script"
    # Nothing is started inside while packages are installed.
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    # The proxy and the mirrors that this machine uses.
    cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
    chroot "$root" apt-get update -qq
    chroot "$root" apt-get install -y -qq --no-install-recommends asterisk ca-certificates
    chroot "$root" apt-get clean
  fi
  # Asterisk looks up the name of the machine at each call.
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
fi

# Recording fails without its folder, which the package does not make.
in_root() { if [ -z "$root" ]; then "$@"; else chroot "$root" "$@"; fi; }
in_root install -d -o asterisk -g asterisk -m 0750 /var/spool/asterisk/recording \
  /run/asterisk /etc/asterisk/keys

# A certificate for TLS, until you put one there that your providers accept.
if [ ! -e "$root/etc/asterisk/keys/sip.crt" ]; then
  (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=$(hostname)" \
    -keyout "$root/etc/asterisk/keys/sip.key" -out "$root/etc/asterisk/keys/sip.crt" 2>/dev/null)
  in_root chown asterisk:asterisk /etc/asterisk/keys/sip.key /etc/asterisk/keys/sip.crt
fi

install -d /usr/local/lib/dialplane-asterisk
install -m 0755 "$here/load.sh" "$here/empty-media-cache.sh" /usr/local/lib/dialplane-asterisk/
printf 'ROOT=%s\n' "$root" > /etc/default/dialplane-asterisk

if [ -d /run/systemd/system ]; then
  # The unit of the package, if there is one, would start a second Asterisk.
  systemctl disable --now asterisk 2>/dev/null || true
  for unit in dialplane-asterisk.service dialplane-asterisk-cache.service dialplane-asterisk-cache.timer; do
    sed "s|@ROOT@|${root:-/}|" "$here/$unit" > "/etc/systemd/system/$unit"
  done
  systemctl daemon-reload
  systemctl enable --now dialplane-asterisk-cache.timer
  systemctl enable dialplane-asterisk.service
fi

installed=$(in_root asterisk -V)
echo "$installed"
if ! is_new_enough "${installed#Asterisk }"; then
  echo "This is older than 22.9 (or 23.3): upgrade the package asterisk${root:+ in $root, with chroot}." >&2
  exit 1
fi
echo "Next: dialplane carriers setup NAME, then /usr/local/lib/dialplane-asterisk/load.sh CONFIG_FOLDER/ENGINE"
