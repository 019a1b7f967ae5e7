/** Results of comparing how requests are handled before and after a change. */
import type { Json, JsonObject } from '@sluice/base';
import type { ExplainRequest } from '../explain/types.ts';

/** Aspect of a request's handling that differs. */
export type Aspect =
  | 'status'
  | 'redirect'
  | 'connection'
  | 'upstream'
  | 'upstream_request'
  | 'header'
  | 'body'
  | 'authentication'
  | 'rate_limit'
  | 'cache'
  | 'encoding'
  | 'handlers'
  | 'latency';

/** One difference in how a request is handled. */
export interface Difference {
  readonly aspect: Aspect;
  /** Header field, part of the upstream request, or handler; empty for the other aspects. */
  readonly name: string;
  /** `null` if the value is absent. */
  readonly before: Json;
  readonly after: Json;
}

/** Request to compare, and its source. */
export interface ComparedRequest {
  readonly request: ExplainRequest;
  readonly source: 'recorded' | 'generated';
}

/** Requests with the same differences at the same routes. */
export interface BehaviorGroup {
  readonly summary: string;
  readonly count: number;
  /** Number of recorded requests, without generated requests. */
  readonly recorded: number;
  /** Hosts, at most {@link maxHosts}; `more_hosts` counts the others. */
  readonly hosts: readonly string[];
  readonly more_hosts: number;
  /** Longest common prefix of the paths. */
  readonly path_prefix: string;
  readonly route_before: string | null;
  readonly route_after: string | null;
  readonly differences: readonly Difference[];
  /** Examples, at most {@link maxExamples}. */
  readonly examples: readonly JsonObject[];
}

/** Requests that could not be compared for the same reason. */
export interface Undecided {
  readonly reason: string;
  readonly count: number;
  readonly example: { readonly method: string; readonly url: string };
}

/** Difference in behavior between two configurations. */
export interface BehaviorReport {
  readonly recorded: number;
  readonly generated: number;
  readonly same: number;
  readonly different: number;
  readonly undecided: number;
  /** Number of requests that were not compared because time ran out. */
  readonly not_compared: number;
  /** Groups, largest first, at most {@link maxGroups}. */
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly undecided_because: readonly Undecided[];
  readonly ms: number;
}

export const maxHosts = 5;
export const maxExamples = 3;
export const maxGroups = 50;
