#!/bin/bash
# Called by enter.sh: starts etcd, the API server, the controllers and a small kubelet, then runs the command.
set -euo pipefail
cwd=$PWD; here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.env"
out=${HARNESS_OUT:-$here/out}
run=${HARNESS_RUN:-$out/run}
bin=$out/bin
rm -rf "$run"; mkdir -p "$run/log" "$run/pki" "$run/pods"
t0=$(date +%s%N); say() { printf '%6d ms  %s\n' $((($(date +%s%N)-t0)/1000000)) "$*" >&2; }

# Network: lo, a bridge for the pods, addresses for Gateways.
ip link set lo up
ip link add br0 type bridge
ip addr add "$NODE_ADDR/16" dev br0
for a in $GATEWAY_ADDRS; do ip addr add "$a/16" dev br0; done
ip link set br0 up
sysctl -qw net.ipv4.ip_unprivileged_port_start=0 2>/dev/null || true
sysctl -qw net.ipv4.ip_local_port_range='20000 60999' 2>/dev/null || true

# Certificates.
cd "$run/pki"
newkey() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }
newkey ca; openssl req -x509 -new -key ca.key -subj /CN=harness-ca -days 30 -out ca.crt
leaf() { # name subject san
  newkey "$1"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out "$1.crt" \
    -extfile <(echo "subjectAltName=$3") 2>/dev/null
}
leaf apiserver /CN=kube-apiserver "IP:$NODE_ADDR,IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc"
leaf kubelet /CN=node-1 "IP:$NODE_ADDR"
leaf apiserver-client /O=system:masters/CN=kube-apiserver-kubelet-client "IP:127.0.0.1"
openssl genrsa -out sa.key 2048 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,admin,\"system:masters\"" > tokens.csv
cat > "$run/kubeconfig" <<Y
apiVersion: v1
kind: Config
clusters: [{name: harness, cluster: {server: "https://$NODE_ADDR:6443", certificate-authority: "$run/pki/ca.crt"}}]
users: [{name: admin, user: {token: "$token"}}]
contexts: [{name: harness, context: {cluster: harness, user: admin}}]
current-context: harness
Y
export KUBECONFIG=$run/kubeconfig
cd "$run"

start() { # name command…
  local n=$1; shift
  "$@" > "log/$n.log" 2>&1 &
  echo $! > "$n.pid"
}
api() { curl -sf --cacert pki/ca.crt -H "Authorization: Bearer $token" "$@"; }
wait_for() { # what seconds command…
  local what=$1 s=$2; shift 2
  for _ in $(seq $((s*10))); do if "$@" >/dev/null 2>&1; then say "$what"; return; fi; sleep 0.1; done
  echo "not ready in $s s: $what; see $run/log" >&2; exit 1
}

start etcd "${ETCD:-etcd}" --data-dir "$run/etcd" --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync ${ETCD_FLAGS:-}
start apiserver "$bin/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 --bind-address=0.0.0.0 --secure-port=6443 \
  --advertise-address="$NODE_ADDR" --service-cluster-ip-range=10.96.0.0/16 \
  --tls-cert-file=pki/apiserver.crt --tls-private-key-file=pki/apiserver.key --client-ca-file=pki/ca.crt \
  --token-auth-file=pki/tokens.csv --authorization-mode="${AUTHZ:-RBAC}" \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file=pki/sa.key --service-account-signing-key-file=pki/sa.key \
  --kubelet-certificate-authority=pki/ca.crt --kubelet-client-certificate=pki/apiserver-client.crt --kubelet-client-key=pki/apiserver-client.key \
  --kubelet-preferred-address-types=InternalIP --disable-admission-plugins=ServiceAccount,TaintNodesByCondition \
  --enable-priority-and-fairness=false --profiling=false ${APISERVER_FLAGS:-}
wait_for "API server ready" 120 api "https://$NODE_ADDR:6443/readyz"
start controllers "$bin/kube-controller-manager" --kubeconfig="$KUBECONFIG" --leader-elect=false --bind-address=127.0.0.1 \
  --controllers="${CONTROLLERS:-deployment-controller,replicaset-controller,endpointslice-controller,endpoints-controller,namespace-controller,garbage-collector-controller,serviceaccount-controller}" \
  --concurrent-deployment-syncs=5 --kube-api-qps=200 --kube-api-burst=400 --service-account-private-key-file=pki/sa.key --root-ca-file=pki/ca.crt
start kubelet "$bin/kubelet" --kubeconfig "$KUBECONFIG" --addr "$NODE_ADDR" --first-pod "$FIRST_POD" --root "$run/pods" \
  --tls-cert pki/kubelet.crt --tls-key pki/kubelet.key \
  --images "gateway-api/echo-basic=$bin/echo-basic,coredns/coredns=$bin/tinydns${IMAGES:+,$IMAGES}"

# CRDs of the chosen channel, by server-side apply.
for f in "$out/crds/${CHANNEL:-experimental}"/*.yaml; do
  n=$(sed -n 's/^  name: //p' "$f" | head -1)
  api -X PATCH -H 'Content-Type: application/apply-patch+yaml' --data-binary "@$f" -o /dev/null \
    "https://$NODE_ADDR:6443/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$n?fieldManager=harness&force=true" || { echo "CRD $n refused" >&2; exit 1; }
done
wait_for "CRDs served" 60 api "https://$NODE_ADDR:6443/apis/gateway.networking.k8s.io/v1/httproutes"
wait_for "Node registered" 60 api "https://$NODE_ADDR:6443/api/v1/nodes/node-1"
export HARNESS_RUN=$run HARNESS_OUT=$out TOKEN=$token API=https://$NODE_ADDR:6443
cd "$cwd"
if [ $# = 0 ]; then set -- bash; fi
rc=0; "$@" || rc=$?
exit $rc
