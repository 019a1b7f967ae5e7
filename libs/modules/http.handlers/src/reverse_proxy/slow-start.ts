import type { Exchange, SelectionPolicy, Upstream, Watch } from '@sluice/http-app';
import type { UpstreamPace } from './upstream-pace.ts';

/** Name of the slow start state in dry runs, which report it because the selection depends on it. */
const slowStart = 'slow start';

/** An upstream of a proxy with slow start. */
interface PacedUpstream extends Upstream {
  /** True to exclude the upstream from the current selection. */
  avoided: boolean;
  readonly healthy: boolean;
  readonly host: { readonly draining: boolean };
  readonly pace: UpstreamPace | null;
  /** Time of the last recovery that a health check has recorded, in milliseconds since the Unix epoch. 0 if there was none. */
  readonly recoveredAt: number;
}

/** Returns the fraction of its normal traffic that an upstream receives during slow start, between 0 and 1. */
function shareOf(upstream: PacedUpstream, duration: number, now: number): number {
  const since = Math.max(upstream.pace?.since ?? 0, upstream.recoveredAt);
  // If the start is in the future, the clock has been set back since it was recorded.
  return now < since ? 1 : Math.min(1, (now - since) / duration);
}

/** Sources for random numbers and time. Tests replace them. */
export interface SlowStartSources {
  readonly now: () => number;
  readonly random: () => number;
}

const realSources: SlowStartSources = { now: () => Date.now(), random: () => Math.random() };

/**
 * Excludes upstreams in slow start from some selections, so that the wrapped policy needs no weights. If no other upstream is available, an
 * excluded upstream receives the request.
 */
export class SlowStartPolicy implements SelectionPolicy {
  readonly #policy: SelectionPolicy;
  /** In milliseconds. */
  readonly #duration: number;
  readonly #sources: SlowStartSources;
  /** Upstreams excluded from the current selection, which is synchronous. */
  readonly #left: PacedUpstream[] = [];

  constructor(policy: SelectionPolicy, duration: number, sources: SlowStartSources = realSources) {
    this.#policy = policy;
    this.#duration = duration;
    this.#sources = sources;
  }

  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null {
    this.#leaveOut(upstreams as readonly PacedUpstream[]);
    if (this.#left.length === 0) return this.#policy.select(upstreams, exchange);
    let selected: Upstream | null;
    try {
      selected = this.#policy.select(upstreams, exchange);
    } finally {
      for (const upstream of this.#left) upstream.avoided = false;
      this.#left.length = 0;
    }
    return selected ?? this.#policy.select(upstreams, exchange);
  }

  watched(watch: Watch): SelectionPolicy {
    const policy = this.#policy.watched?.(watch) ?? this.#policy;
    const { rehearsal } = watch;
    if (rehearsal === null) return new SlowStartPolicy(policy, this.#duration, this.#sources);
    return {
      select: (upstreams, exchange) => {
        const now = this.#sources.now();
        const list = upstreams as readonly PacedUpstream[];
        if (list.some((each) => each.available && shareOf(each, this.#duration, now) < 1))
          rehearsal.depends(exchange, slowStart);
        return policy.select(upstreams, exchange);
      },
      eligible: (upstreams, exchange) =>
        policy.eligible?.(upstreams, exchange) ?? upstreams.filter(({ available }) => available),
    };
  }

  #leaveOut(upstreams: readonly PacedUpstream[]): void {
    const now = this.#sources.now();
    for (const upstream of upstreams) {
      if (!upstream.healthy || upstream.host.draining) {
        upstream.pace?.noteUnavailable(now);
        continue;
      }
      if (upstream.avoided) continue;
      const share = shareOf(upstream, this.#duration, now);
      if (share === 1) continue;
      const chance = this.#policy.considers?.(share, upstreams.length) ?? 1;
      if (this.#sources.random() < chance) continue;
      upstream.avoided = true;
      this.#left.push(upstream);
    }
  }
}
