/** The choice of an upstream while a request is rehearsed. */
import type { UpstreamCandidate, Exchange, Rehearsal, SelectionPolicy, Upstream } from '@sluice/http-app';
import type { ProxyUpstream } from '../proxy-upstream.ts';

/** Chooses as the policy would, and says why. */
export class RehearsedPolicy implements SelectionPolicy {
  readonly #policy: SelectionPolicy;
  readonly #rehearsal: Rehearsal;

  constructor(policy: SelectionPolicy, rehearsal: Rehearsal) {
    this.#policy = policy;
    this.#rehearsal = rehearsal;
  }

  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null {
    return this.#rehearsal.choose(exchange, {
      select: () => this.#policy.select(upstreams, exchange),
      describe: (chosen) => upstreams.map((upstream) => candidateOf(upstream as ProxyUpstream, chosen)),
    });
  }
}

function candidateOf(upstream: ProxyUpstream, chosen: Upstream | null): UpstreamCandidate {
  const isChosen = upstream === chosen;
  const why = isChosen ? 'the policy takes it' : (upstream.objection ?? 'the policy takes another one');
  return { address: upstream.address, chosen: isChosen, why };
}
