/** Selects the upstream for one attempt of a request. */
import type { Exchange, SelectionPolicy } from '@sluice/http-app';
import type { ProxyUpstream } from './proxy-upstream.ts';

/**
 * Selects an upstream and counts the request as in flight. Prefers upstreams on which the request has not failed. Returns `null` if none is
 * available.
 */
export function selectUpstream(
  policy: SelectionPolicy,
  list: readonly ProxyUpstream[],
  exchange: Exchange,
  failed: readonly ProxyUpstream[] | null,
): ProxyUpstream | null {
  if (failed === null) return selectFrom(policy, list, exchange);
  // Policies read this property synchronously, so setting it does not affect other requests.
  for (const upstream of failed) upstream.avoided = true;
  try {
    const other = selectFrom(policy, list, exchange);
    if (other !== null) return other;
  } finally {
    for (const upstream of failed) upstream.avoided = false;
  }
  return selectFrom(policy, list, exchange);
}

function selectFrom(policy: SelectionPolicy, list: readonly ProxyUpstream[], exchange: Exchange): ProxyUpstream | null {
  // Another thread may have reached the upstream's limit, so try again.
  for (let i = 0; i <= list.length; i++) {
    const upstream = policy.select(list, exchange) as ProxyUpstream | null;
    if (upstream === null || upstream.enter()) return upstream;
  }
  return null;
}
