#!/bin/bash
# sluice.sh COMMAND…  Inside enter.sh: starts Sluice with the Kubernetes provider, then runs the command.
#   SLUICE_CLI=DIRECTORY  start this bundle instead of the sources
set -euo pipefail
: "${HARNESS_RUN:?run this script by enter.sh}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.env"
repository=$here/../../..
state=$HARNESS_RUN/server
admin=127.0.0.1:28019
mkdir -p "$state"

# A service account with the permissions of the guide, and no others.
api() { curl -sf --cacert "$HARNESS_RUN/pki/ca.crt" -H "Authorization: Bearer $TOKEN" "$@"; }
apply() { api -X PATCH -H 'Content-Type: application/apply-patch+yaml' -o /dev/null "$API$1?fieldManager=harness" --data-binary @-; }
awk 'BEGIN { RS = "```" } /\nkind: ClusterRole\n/ { sub(/^yaml\n/, ""); print }' "$repository/docs/guide/kubernetes.md" |
  apply /apis/rbac.authorization.k8s.io/v1/clusterroles/sluice
apply /api/v1/namespaces/default/serviceaccounts/sluice <<< '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: sluice } }'
apply /apis/rbac.authorization.k8s.io/v1/clusterrolebindings/sluice <<'Y'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: sluice }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sluice }
subjects: [{ kind: ServiceAccount, name: sluice, namespace: default }]
Y
token=$(api -X POST -H 'Content-Type: application/json' "$API/api/v1/namespaces/default/serviceaccounts/sluice/token" \
  -d '{ "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": { "expirationSeconds": 7200 } }' |
  sed -n 's/^ *"token": "\(.*\)",*$/\1/p')
cat > "$state/kubeconfig" <<Y
clusters: [{ name: harness, cluster: { server: "$API", certificate-authority: "$HARNESS_RUN/pki/ca.crt" } }]
users: [{ name: sluice, user: { token: "$token" } }]
contexts: [{ name: sluice, context: { cluster: harness, user: sluice } }]
current-context: sluice
Y

addresses=$(printf '"%s",' $GATEWAY_ADDRS)
cat > "$state/config.json" <<J
{
  "admin": { "listen": "$admin" },
  "apps": {
    "providers": {
      "sources": {
        "kubernetes": {
          "provider": "kubernetes",
          "kubeconfig": "$state/kubeconfig",
          "lease": "default/sluice",
          "addresses": [${addresses%,}]
        }
      }
    }
  }
}
J
cd "$repository"
if [ -n "${SLUICE_CLI:-}" ]; then
  server=("$(node tools/workspace/with-node.mjs node -p process.execPath)" "$SLUICE_CLI/bin/sluice.js")
else
  server=(node tools/workspace/with-node.mjs node --conditions=@sluice/source apps/server/src/main.ts)
fi
HOME=$state XDG_CONFIG_HOME=$state XDG_DATA_HOME=$state "${server[@]}" run --config "$state/config.json" > "$HARNESS_RUN/log/server.log" 2>&1 &
echo $! > "$HARNESS_RUN/server.pid"
cd "$OLDPWD"
for _ in $(seq 600); do
  curl -sf "http://$admin/config/" -o /dev/null && break
  sleep 0.1
done
"$@"
