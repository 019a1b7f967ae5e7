#!/bin/bash
# sequences.sh [--count N] [--seed N]  Builds what is missing, starts a cluster, and runs random sequences of events on
# two replicas of Sluice. They must end in the configuration and the status that a fresh start computes.
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
repository=$(cd ../../.. && pwd)
exec ./enter.sh node "$repository/tools/workspace/with-node.mjs" node "$repository/tools/conformance/src/sequences/main.ts" "$@"
