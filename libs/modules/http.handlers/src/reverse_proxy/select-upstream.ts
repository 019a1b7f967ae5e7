/** The choice of an upstream for one try of a request. */
import type { Exchange, SelectionPolicy } from '@sluice/http-app';
import type { ProxyUpstream } from './proxy-upstream.ts';

/**
 * Chooses an upstream, and counts the request in: another one than those that it has failed with, if there is one that is
 * available. `null` if none is.
 */
export function selectUpstream(
  policy: SelectionPolicy,
  list: readonly ProxyUpstream[],
  exchange: Exchange,
  failed: readonly ProxyUpstream[] | null,
): ProxyUpstream | null {
  if (failed === null) return selectFrom(policy, list, exchange);
  // Policies ask, and nothing else runs meanwhile.
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
  // Another thread may be faster to take the last place of one.
  for (let i = 0; i <= list.length; i++) {
    const upstream = policy.select(list, exchange) as ProxyUpstream | null;
    if (upstream === null || upstream.enter()) return upstream;
  }
  return null;
}
