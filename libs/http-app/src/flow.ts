/**
 * What handlers and matchers say of themselves for checks that reason about routes without running any. It has to be true
 * of all requests: what is not said, or of a module that says nothing, counts as "may do anything".
 */
import type { ConfigPath, JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** A part of a request that matchers read and handlers change. */
export type Aspect = 'host' | 'path' | 'query' | 'method' | 'header' | 'body' | 'protocol' | 'remote' | 'tls' | 'vars';

/** A list of routes in the options of a handler. */
export interface NestedRoutes {
  /** Where in the options the list stands. */
  readonly at: ConfigPath;
  /** `request`: it is entered instead of what follows. `later`: by an error or a response, whatever the request is by then. */
  readonly entry: 'request' | 'later';
}

/** What a handler does with requests. */
export interface HandlerFlow {
  /**
   * `never`: nothing that stands after it sees a request, as it responds or fails. `through`: only what passes its lists
   * of entry `request`. `maybe`: else.
   */
  readonly passes: 'never' | 'through' | 'maybe';
  /** What it may change before it passes a request on; `null` for anything. */
  readonly changes: readonly Aspect[] | null;
  readonly lists?: readonly NestedRoutes[];
  /** Statuses of the errors that it may raise; `null`, or left out, for any. */
  readonly raises?: readonly number[] | null;
  /** Whether it may respond itself. Left out: it may. */
  readonly responds?: boolean;
}

export type FlowOf = (options: JsonObject) => HandlerFlow;

/** A set of requests by one aspect. Only what is sure counts: where it is not, `covers` and `excludes` are false. */
export interface Domain {
  /** Surely all requests of the other domain, which is of the same matcher, are in this one. */
  covers(other: Domain): boolean;
  /** Surely no request is in both. */
  excludes(other: Domain): boolean;
  /** A domain that covers another one has a key that the other one seeks. */
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
  /** Whether it is without any request. */
  readonly isEmpty: boolean;
}

/** What is known of a matcher. */
export interface MatcherFacts {
  /** What its verdict depends on, and nothing else; left out if it may depend on more. */
  readonly reads?: readonly Aspect[];
  /** The requests that it matches; `null` where these options cannot be reasoned about. */
  readonly domain?: (options: unknown) => Domain | null;
  /** A matcher set that surely matches whenever this matcher does, such as `{ path: ['/api/*'] }`; `null` if none is known. */
  readonly implies?: (options: unknown) => JsonObject | null;
}

/** What the modules of a package say, by their names. */
export interface FlowContribution extends Contribution {
  readonly load: () => Promise<{
    readonly handlers?: Readonly<Record<string, FlowOf>>;
    readonly matchers?: Readonly<Record<string, MatcherFacts>>;
  }>;
}

/** Where packages say it: `registry.contribute(flows, { name: 'my-package', load: … })`. */
export const flows: ContributionPoint<FlowContribution> = contributionPoint('flow');
