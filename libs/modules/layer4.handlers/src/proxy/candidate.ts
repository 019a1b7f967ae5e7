/** An upstream of one layer 4 proxy, with the proxy's availability rules and health state. */
import type { HealthBoard, UpstreamError } from '@sluice/http-app';
import type { WeightedUpstream } from '@sluice/layer4-app';
import type { Layer4Upstream } from './upstream.ts';

/** Rules that determine whether a proxy's upstreams are available. */
export interface AvailabilityRules {
  /** Time window in which failures count, in milliseconds. 0 means that failures don't count. */
  readonly failDuration: number;
  /** Number of failures at which an upstream becomes unavailable. */
  readonly maxFails: number;
  /** Number of connections at which an upstream becomes unavailable. 0 means no limit. */
  readonly maxConnections: number;
}

/** An upstream that a selection policy can select. */
export class Candidate implements WeightedUpstream {
  readonly upstream: Layer4Upstream;
  readonly board: HealthBoard | null;
  /** Callbacks that close open connections if the upstream becomes unhealthy. */
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

  /** True unless active health checks or counted failures mark the upstream unhealthy. */
  get healthy(): boolean {
    if (this.board !== null && !this.board.healthy) return false;
    return this.#rules.failDuration === 0 || this.upstream.host.fails < this.#rules.maxFails;
  }

  get available(): boolean {
    if (!this.healthy || this.upstream.host.draining) return false;
    return this.#limit === 0 || this.requests < this.#limit;
  }

  /** Adds to the upstream's connection count. Returns false if another thread reached the limit first. */
  enter(): boolean {
    if (!this.upstream.host.enter(this.#limit)) return false;
    this.upstream.retain();
    return true;
  }

  /** Subtracts from the upstream's connection count. */
  leave(): void {
    this.upstream.host.leave();
    this.upstream.release();
  }

  /** Counts a failure to connect to the upstream. */
  failed({ kind }: UpstreamError): void {
    this.upstream.host.noteFailure(kind);
    if (this.#rules.failDuration > 0) this.upstream.host.fail(this.#rules.failDuration);
  }
}
