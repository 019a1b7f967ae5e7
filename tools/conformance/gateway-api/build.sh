#!/bin/bash
# Builds the API server, the controllers and the suite from Go modules into out/. Requires go 1.26 or later, and etcd to run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.env"
out=${HARNESS_OUT:-$here/out}
mkdir -p "$out/bin" "$out/src" "$out/crds"
fetch() { # module version → directory
  (cd "$out/src" && { [ -f go.mod ] || printf 'module fetch\n\ngo 1.26\n' > go.mod; } && go mod download -json "$1@v$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
}

# go.mod of Kubernetes replaces staging modules by directories that its module lacks. They are published as k8s.io/X v0.MINOR.PATCH.
kubernetes() {
  [ -x "$out/bin/kube-apiserver" ] && [ -x "$out/bin/kube-controller-manager" ] && return
  local dir minor=${K8S_VERSION#*.}
  dir=$(fetch k8s.io/kubernetes "$K8S_VERSION")
  mkdir -p "$out/src/kube"
  cd "$out/src/kube"
  sed -e "s#^module .*#module kubebuild#" \
      -e "s#=> \./staging/src/\(k8s.io/[a-z-]*\)#=> \1 v0.$minor#" \
      -e "0,/^require (/s##require (\n\tk8s.io/kubernetes v$K8S_VERSION#" "$dir/go.mod" > go.mod
  cp "$dir/go.sum" go.sum
  chmod u+w go.mod go.sum
  local version=k8s.io/component-base/version
  for program in kube-apiserver kube-controller-manager; do
    nice go build -mod=mod -p "${JOBS:-2}" -o "$out/bin/$program" \
      -ldflags "-s -w -X $version.gitVersion=v$K8S_VERSION -X $version.gitMajor=1 -X $version.gitMinor=${minor%.*}" "k8s.io/kubernetes/cmd/$program"
  done
}
kit() {
  cd "$here/kit"
  CGO_ENABLED=0 nice go build -p "${JOBS:-2}" -ldflags '-s -w' -o "$out/bin/" \
    ./kubelet ./tinydns sigs.k8s.io/gateway-api-conformance-images/echo-basic
  nice go test -c -p "${JOBS:-2}" -ldflags '-s -w' -o "$out/bin/conformance.test" ./suite
}
crds() {
  local dir
  dir=$(fetch sigs.k8s.io/gateway-api "$GATEWAY_API_VERSION")
  for channel in standard experimental; do
    mkdir -p "$out/crds/$channel"
    cp "$dir/config/crd/$channel"/gateway.*.yaml "$out/crds/$channel/"
    rm -f "$out/crds/$channel"/*_vap_*
  done
  chmod -R u+w "$out/crds"
}
(crds)
(kit)
(kubernetes)
