#!/bin/bash
# sluice.sh COMMAND…  Inside enter.sh: starts Sluice from its sources with the Kubernetes provider, then runs the command.
set -euo pipefail
: "${HARNESS_RUN:?run this script by enter.sh}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.env"
repository=$here/../../..
state=$HARNESS_RUN/server
admin=127.0.0.1:28019
mkdir -p "$state"
addresses=$(printf '"%s",' $GATEWAY_ADDRS)
cat > "$state/config.json" <<J
{
  "admin": { "listen": "$admin" },
  "apps": {
    "providers": {
      "sources": {
        "kubernetes": { "provider": "kubernetes", "kubeconfig": "$KUBECONFIG", "addresses": [${addresses%,}] }
      }
    }
  }
}
J
(
  cd "$repository"
  HOME=$state XDG_CONFIG_HOME=$state XDG_DATA_HOME=$state exec node tools/workspace/with-node.mjs \
    node --conditions=@sluice/source apps/server/src/main.ts run --config "$state/config.json"
) > "$HARNESS_RUN/log/server.log" 2>&1 &
for _ in $(seq 600); do
  curl -sf "http://$admin/config/" -o /dev/null && break
  sleep 0.1
done
"$@"
