/** Replay of requests through two configurations: task, bounds and report. */
import type { Json } from '@sluice/base';
import type { ShadowOptions } from '@sluice/registry';
import type { BehaviorGroup, Undecided } from '../behavior/types.ts';
import type { ExplainRequest } from '../explain/types.ts';

/** A request to replay. `recorded`: without secrets. `live`: as the client sent it. */
export interface ShadowRequest {
  readonly source: 'recorded' | 'live';
  readonly request: ExplainRequest;
}

/** Request that is not replayed. */
export interface LeftOut {
  readonly reason: string;
  readonly method: string;
  readonly url: string;
}

export interface ShadowTask {
  /** Document of the active configuration. */
  readonly before: Json;
  /** Proposed document. */
  readonly after: Json;
  readonly options: ShadowOptions;
  readonly requests: readonly ShadowRequest[];
  readonly leftOut: readonly LeftOut[];
}

/** Response times in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Difference between the responses of two configurations. */
export interface ShadowReport {
  /** Number of replayed requests by source. */
  readonly recorded: number;
  readonly live: number;
  readonly same: number;
  readonly different: number;
  /** Number of requests that differed in the first run but not in the second one. */
  readonly unsteady: number;
  /** Number of requests that were not replayed because of the time limit. */
  readonly not_replayed: number;
  /** Groups, largest first. Groups of requests that differed only once come last. */
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly left_out: readonly Undecided[];
  /** Modules that were skipped, because they have state or side effects. */
  readonly bypassed: readonly string[];
  /** Response parts that differ between two runs of the active configuration. They are not compared. */
  readonly noise: readonly Noise[];
  readonly latency_ms: { readonly before: Latency; readonly after: Latency };
  readonly ms: number;
}

/** A part of a response that varies by itself. */
export interface Noise {
  /** `header etag`, `body` or `status`. */
  readonly part: string;
  readonly count: number;
  readonly example: { readonly method: string; readonly url: string };
}
