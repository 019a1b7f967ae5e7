/** Types for replaying requests through two configurations: the task, its limits, and the report. */
import type { Json } from '@sluice/base';
import type { ShadowOptions } from '@sluice/registry';
import type { BehaviorGroup, Undecided } from '../behavior/types.ts';
import type { ExplainRequest } from '../explain/types.ts';

/** A request to replay. `recorded` requests contain no secrets. `live` requests are as the client sent them. */
export interface ShadowRequest {
  readonly source: 'recorded' | 'live';
  readonly request: ExplainRequest;
}

/** A request that is not replayed, and the reason. */
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

/** Report about the differences between the responses of two configurations. */
export interface ShadowReport {
  /** Number of replayed requests that were recorded. `live` is the number of replayed live requests. */
  readonly recorded: number;
  readonly live: number;
  readonly same: number;
  readonly different: number;
  /** Number of requests whose responses differed in the first run but not in the second run. */
  readonly unsteady: number;
  /** Number of requests that were not replayed because of the time limit. */
  readonly not_replayed: number;
  /** Groups of requests, largest first. Groups of requests that differed in only one run come last. */
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly left_out: readonly Undecided[];
  /** Modules that were skipped because they have state or side effects. */
  readonly bypassed: readonly string[];
  /** Parts of responses that vary between two runs of the active configuration. These parts are not compared. */
  readonly noise: readonly Noise[];
  readonly latency_ms: { readonly before: Latency; readonly after: Latency };
  readonly ms: number;
}

/** A part of a response that varies without a configuration change. */
export interface Noise {
  /** Name of the part, such as `header etag`, `body`, or `status`. */
  readonly part: string;
  readonly count: number;
  readonly example: { readonly method: string; readonly url: string };
}
