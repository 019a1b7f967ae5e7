#!/bin/bash
# run.sh [SUITE-FLAG…]  Builds what is missing, starts a cluster and Sluice in namespaces of their own, and runs the
# conformance suite of the Gateway API. Writes report.yaml to this directory if all tests passed with default timeouts.
#   SUITE_ONLY=NAME  run one test     QUICK=1  short timeouts, for development
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
exec ./enter.sh ./sluice.sh ./suite.sh "$@"
