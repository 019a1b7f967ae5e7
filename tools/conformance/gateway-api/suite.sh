#!/bin/bash
# suite.sh [SUITE-FLAG…]  Inside enter.sh: runs the suite, prints the result of each test, and writes the report.
set -euo pipefail
: "${HARNESS_RUN:?run this script by enter.sh}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.env"
class=gateway-conformance
curl -sf --cacert "$HARNESS_RUN/pki/ca.crt" -H "Authorization: Bearer $TOKEN" -X PATCH -H 'Content-Type: application/apply-patch+yaml' -o /dev/null \
  "$API/apis/gateway.networking.k8s.io/v1/gatewayclasses/$class?fieldManager=harness" \
  -d "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: $class}, spec: {controllerName: sluice.dev/gateway-controller}}"
# The features that the provider declares in the status of the class.
features=${FEATURES:-$(sed -n "s/^  '\(.*\)',$/\1/p" "$here/../../../libs/modules/sluice.providers/src/kubernetes/gateway/features.ts" | paste -sd,)}
profiles=GATEWAY-HTTP,GATEWAY-GRPC,GATEWAY-TLS,GATEWAY-TCP,GATEWAY-UDP
options=()
if [ -n "${QUICK:-}" ]; then
  names="MaxTimeToConsistency GatewayMustHaveCondition GatewayMustHaveAddress GatewayStatusMustHaveListeners GatewayListenersMustHaveConditions HTTPRouteMustHaveCondition HTTPRouteMustNotHaveParents RouteMustHaveParents LatestObservedGenerationSet DefaultTestTimeout"
  overrides=$(printf "%s:${QUICK_SECONDS:-10};" $names)
  options+=("--timeout-config-overrides=${overrides%;}")
fi
[ -z "${SUITE_ONLY:-}" ] || options+=("--run-test=$SUITE_ONLY")
version=$(cd "$here/../../.." && sed -n 's/^  "version": "\(.*\)",$/\1/p' apps/server/package.json)
rc=0
started=$SECONDS
"$HARNESS_OUT/bin/conformance.test" -test.run 'TestConformance$' -test.v -test.timeout "${SUITE_TIMEOUT:-40m}" --gateway-class="$class" \
  --usable-address="${GATEWAY_ADDRS##* }" --unusable-address=192.0.2.1 --supported-features="$features" --conformance-profiles="$profiles" --allow-crds-mismatch \
  --report-output="$HARNESS_RUN/report.yaml" --organization=sluice --project=sluice --url=https://sluice.dev --version="v$version" \
  --contact=https://sluice.dev "${options[@]}" "$@" > "$HARNESS_RUN/suite.log" 2>&1 || rc=$?
grep -E '^    --- (PASS|FAIL)' "$HARNESS_RUN/suite.log" || tail -n 20 "$HARNESS_RUN/suite.log"
passed=$(grep -cE '^    --- PASS' "$HARNESS_RUN/suite.log" || true)
failed=$(grep -cE '^    --- FAIL' "$HARNESS_RUN/suite.log" || true)
echo "$passed passed, $failed failed in $((SECONDS - started)) s"
if [ "$rc" = 0 ] && [ -z "${QUICK:-}${SUITE_ONLY:-}" ]; then cp "$HARNESS_RUN/report.yaml" "$here/report.yaml"; fi
exit "$rc"
