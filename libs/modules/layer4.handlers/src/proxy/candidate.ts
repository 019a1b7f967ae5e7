/** An upstream as used by one proxy, with the proxy's rules and health state. */
import type { HealthBoard, UpstreamError } from '@sluice/http-app';
import type { WeightedUpstream } from '@sluice/layer4-app';
import type { Layer4Upstream } from './upstream.ts';

/** Availability rules of a proxy, for all its upstreams. */
export interface AvailabilityRules {
  /** Milliseconds for which a failure counts; 0 means failures don't count. */
  readonly failDuration: number;
  /** Failures that make an upstream unavailable. */
  readonly maxFails: number;
  /** Number of connections at which an upstream is unavailable; 0 means no limit. */
  readonly maxConnections: number;
}

/** An upstream that can be selected. */
export class Candidate implements WeightedUpstream {
  readonly upstream: Layer4Upstream;
  readonly board: HealthBoard | null;
  /** Functions that close connections in progress if the upstream becomes unhealthy. */
  readonly open: Set<() => void> = new Set();
  readonly #rules: AvailabilityRules;
  readonly #limit: number;

  constructor(upstream: Layer4Upstream, rules: AvailabilityRules, board: HealthBoard | null) {
    this.upstream = upstream;
    this.board = board;
    this.#rules = rules;
    const own = upstream.maxConnections;
    this.#limit =
      own > 0 && rules.maxConnections > 0 ? Math.min(own, rules.maxConnections) : own || rules.maxConnections;
  }

  get address(): string {
    return this.upstream.address;
  }

  get weight(): number {
    return this.upstream.weight;
  }

  get requests(): number {
    return this.upstream.host.requests;
  }

  /** True unless active checks or failures mark it unhealthy. */
  get healthy(): boolean {
    if (this.board !== null && !this.board.healthy) return false;
    return this.#rules.failDuration === 0 || this.upstream.host.fails < this.#rules.maxFails;
  }

  get available(): boolean {
    if (!this.healthy || this.upstream.host.draining) return false;
    return this.#limit === 0 || this.requests < this.#limit;
  }

  /** Counts a connection. Returns false if another thread reached the limit first. */
  enter(): boolean {
    if (!this.upstream.host.enter(this.#limit)) return false;
    this.upstream.retain();
    return true;
  }

  /** Counts a connection out. */
  leave(): void {
    this.upstream.host.leave();
    this.upstream.release();
  }

  /** Records that no connection could be established. */
  failed({ kind }: UpstreamError): void {
    this.upstream.host.noteFailure(kind);
    if (this.#rules.failDuration > 0) this.upstream.host.fail(this.#rules.failDuration);
  }
}
