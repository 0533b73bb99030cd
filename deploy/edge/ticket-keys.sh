#!/bin/sh
# Rotates the keys of TLS session tickets that several nginx or HAProxy machines share:
#
#   ticket-keys.sh /run/waymark-tickets
#
# The folder has the next key, the current one, which seals new tickets, and the previous one. All three open tickets, so
# a machine without the newest keys can resume sessions that another one began. Run it on one machine, twice a day;
# copy the folder to the others; reload all. Keep it in memory (/run) and out of backups: the keys open what they sealed.
set -eu
umask 077

[ "$#" -eq 1 ] || {
  echo "usage: ticket-keys.sh FOLDER" >&2
  exit 2
}
mkdir -p "$1"
cd "$1"

# 80 bytes: a name, and keys of AES-256 and of HMAC-SHA-256.
fresh() {
  openssl rand -out "$1.new" 80
  mv "$1.new" "$1"
}

for key in previous current next; do
  [ -s "$key.key" ] || fresh "$key.key"
done
mv current.key previous.key
mv next.key current.key
fresh next.key

# HAProxy seals with the last but one, and opens with all of them.
for key in previous current next; do
  openssl base64 -A -in "$key.key"
  echo
done >haproxy.keys.new
mv haproxy.keys.new haproxy.keys
