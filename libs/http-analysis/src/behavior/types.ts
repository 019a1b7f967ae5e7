/** Types for the comparison of request handling before and after a change. */
import type { Json, JsonObject } from '@sluice/base';
import type { ExplainRequest } from '../explain/types.ts';

/** Aspect of request handling that can differ. */
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

/** A single difference in how a request is handled. */
export interface Difference {
  readonly aspect: Aspect;
  /** Name of the header, the handler, or the part of the upstream request. Empty for other aspects. */
  readonly name: string;
  /** Value before the change. `null` if there is no value. */
  readonly before: Json;
  readonly after: Json;
}

/** A request to compare, and the source of the request. */
export interface ComparedRequest {
  readonly request: ExplainRequest;
  readonly source: 'recorded' | 'generated';
}

/** Requests with the same differences at the same routes. */
export interface BehaviorGroup {
  readonly summary: string;
  readonly count: number;
  /** Number of recorded requests in the group, excluding generated requests. */
  readonly recorded: number;
  /** Up to {@link maxHosts} hosts. `more_hosts` is the number of other hosts. */
  readonly hosts: readonly string[];
  readonly more_hosts: number;
  /** Longest common prefix of the request paths. */
  readonly path_prefix: string;
  readonly route_before: string | null;
  readonly route_after: string | null;
  readonly differences: readonly Difference[];
  /** Up to {@link maxExamples} example requests. */
  readonly examples: readonly JsonObject[];
}

/** Requests that could not be compared for the same reason. */
export interface Undecided {
  readonly reason: string;
  readonly count: number;
  readonly example: { readonly method: string; readonly url: string };
}

/** Report about the differences in request handling between two configurations. */
export interface BehaviorReport {
  readonly recorded: number;
  readonly generated: number;
  readonly same: number;
  readonly different: number;
  readonly undecided: number;
  /** Number of requests that were not compared because of the time limit. */
  readonly not_compared: number;
  /** Up to {@link maxGroups} groups, largest first. */
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly undecided_because: readonly Undecided[];
  readonly ms: number;
}

export const maxHosts = 5;
export const maxExamples = 3;
export const maxGroups = 50;
