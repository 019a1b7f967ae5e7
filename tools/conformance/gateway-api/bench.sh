#!/bin/bash
# bench.sh [OPTION…]  Builds what is missing, starts a cluster and the bundle of Sluice in namespaces of their own, and
# measures the cost of routes and of changes. Requires the bundle (npm run package). Options: see tools/benchmarks/src/gateway-api/main.ts
#   CANDIDATE=SCRIPT  measure another implementation, started by SCRIPT COMMAND…
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
repository=$here/../../..
[ -n "${CANDIDATE:-}" ] || export SLUICE_CLI=${SLUICE_CLI:-$repository/tools/packaging/out/cli}
./build.sh
. ./settings.env
export NODE_ADDR GATEWAY_ADDRS CONTROLLER=${CONTROLLER:-sluice.dev/gateway-controller}
exec ./enter.sh "${CANDIDATE:-./sluice.sh}" node "$repository/tools/workspace/with-node.mjs" \
  node --conditions=@sluice/source "$repository/tools/benchmarks/src/gateway-api/main.ts" "$@"
