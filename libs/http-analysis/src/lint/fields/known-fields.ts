/** Lowercase names of standard and common headers, for finding misspellings. */
const names = `
accept accept-ch accept-charset accept-encoding accept-language accept-patch accept-post accept-ranges
access-control-allow-credentials access-control-allow-headers access-control-allow-methods access-control-allow-origin
access-control-allow-private-network access-control-expose-headers access-control-max-age access-control-request-headers
access-control-request-method age allow alt-svc authorization cache-control cdn-cache-control clear-site-data connection
content-disposition content-encoding content-language content-length content-location content-range
content-security-policy content-security-policy-report-only content-type cookie cross-origin-embedder-policy
cross-origin-embedder-policy-report-only cross-origin-opener-policy cross-origin-opener-policy-report-only
cross-origin-resource-policy date document-policy early-data etag expect expires feature-policy forwarded from host
if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive last-modified link location max-forwards
nel origin origin-agent-cluster permissions-policy pragma priority proxy-authenticate proxy-authorization range
refresh referer referrer-policy report-to reporting-endpoints retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site
sec-fetch-user sec-gpc server server-timing service-worker-allowed set-cookie sourcemap strict-transport-security
surrogate-control surrogate-key te timing-allow-origin traceparent tracestate trailer transfer-encoding upgrade
upgrade-insecure-requests user-agent vary via www-authenticate x-accel-buffering x-accel-expires x-accel-redirect
x-content-type-options x-correlation-id x-dns-prefetch-control x-download-options x-forwarded-for x-forwarded-host
x-forwarded-method x-forwarded-port x-forwarded-prefix x-forwarded-proto x-forwarded-server x-forwarded-uri
x-forwarded-url x-forwarded-user x-frame-options x-permitted-cross-domain-policies x-powered-by x-real-ip x-request-id
x-requested-with x-robots-tag x-trace-id x-ua-compatible x-xss-protection
`;

const known: readonly string[] = names.trim().split(/\s+/);
const knownSet: ReadonlySet<string> = new Set(known);

/** Minimum length of a header name to check. Shorter names are too similar to each other. */
const minLength = 10;

/** Returns the known header that a name misspells by one letter or by two swapped letters. Returns `null` if there is none. */
export function misspelledField(name: string): string | null {
  const text = name.toLowerCase();
  // Skip names with a digit, because digits are usually intentional.
  if (text.length < minLength || knownSet.has(text) || /\d/.test(text)) return null;
  return known.find((each) => each.length >= minLength && isNear(text, each)) ?? null;
}

function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.length !== restB.length)
    return restA.length > restB.length ? restA.slice(1) === restB : restB.slice(1) === restA;
  return (
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
