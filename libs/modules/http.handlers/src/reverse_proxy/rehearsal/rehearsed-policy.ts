/** Upstream selection during a dry run. */
import {
  type UpstreamCandidate,
  type Exchange,
  type Rehearsal,
  type SelectionPolicy,
  type Upstream,
  requestsInFlight,
} from '@sluice/http-app';
import type { ProxyUpstream } from '../proxy-upstream.ts';

/** Selects an upstream like the wrapped policy, and records the reason. */
export class RehearsedPolicy implements SelectionPolicy {
  readonly #policy: SelectionPolicy;
  readonly #rehearsal: Rehearsal;
  readonly #hasQueue: boolean;

  constructor(policy: SelectionPolicy, rehearsal: Rehearsal, hasQueue: boolean) {
    this.#policy = policy;
    this.#rehearsal = rehearsal;
    this.#hasQueue = hasQueue;
  }

  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null {
    const policy = this.#policy;
    const list = upstreams as readonly ProxyUpstream[];
    // A real request would wait until an upstream has capacity.
    if (this.#hasQueue && list.some(({ isFull }) => isFull)) this.#rehearsal.depends(exchange, requestsInFlight);
    return this.#rehearsal.choose(exchange, {
      select: () => policy.select(list, exchange) as ProxyUpstream | null,
      eligible: () =>
        (policy.eligible?.(list, exchange) ?? list.filter(({ available }) => available)) as readonly ProxyUpstream[],
      selectOnly: (one) => selectOnly(one, list, () => policy.select(list, exchange) as ProxyUpstream | null),
      describe: (chosen, possible) => list.map((upstream) => candidateOf(upstream, chosen, possible)),
    });
  }
}

/**
 * Selects a specific upstream by making the policy avoid all others. The side effects of the policy, such as a cookie, then refer to the
 * selected upstream.
 */
function selectOnly(
  one: ProxyUpstream,
  list: readonly ProxyUpstream[],
  select: () => ProxyUpstream | null,
): ProxyUpstream | null {
  const others = list.filter((upstream) => upstream !== one && !upstream.avoided);
  for (const upstream of others) upstream.avoided = true;
  try {
    return select();
  } finally {
    for (const upstream of others) upstream.avoided = false;
  }
}

function candidateOf(
  upstream: ProxyUpstream,
  chosen: Upstream | null,
  eligible: readonly ProxyUpstream[],
): UpstreamCandidate {
  const isChosen = upstream === chosen;
  const possible = isChosen || eligible.includes(upstream);
  const why = possible
    ? eligible.length > 1
      ? 'the policy may select this upstream'
      : 'the policy selects this upstream'
    : (upstream.objection ?? 'the policy selects a different upstream');
  return { address: upstream.address, chosen: isChosen, possible, why, ...upstream.state };
}
