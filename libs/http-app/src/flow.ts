/**
 * Properties of handlers and matchers for static analysis of routes. The declared properties must hold for all requests. A module that
 * declares nothing is assumed to do anything.
 */
import type { ConfigPath, JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** Aspect of a request that matchers read and handlers may change. */
export type Aspect = 'host' | 'path' | 'query' | 'method' | 'header' | 'body' | 'protocol' | 'remote' | 'tls' | 'vars';

/** A list of routes inside a handler's options. */
export interface NestedRoutes {
  /** Path of the list inside the options. */
  readonly at: ConfigPath;
  /**
   * Phase in which requests enter these routes. `request`: the request continues here instead of in the following handlers. `later`: errors
   * or responses enter these routes. By then, handlers may have changed the request.
   */
  readonly entry: 'request' | 'later';
}

/** Effect of a handler on requests. */
export interface HandlerFlow {
  /**
   * Requests that reach later handlers. `never`: none, because this handler responds or fails. `through`: only requests that pass through
   * one of the handler's route lists whose entry is `request`. `maybe`: all other cases.
   */
  readonly passes: 'never' | 'through' | 'maybe';
  /** Request aspects that the handler may change before it calls the next handler. `null` means any aspect. */
  readonly changes: readonly Aspect[] | null;
  readonly lists?: readonly NestedRoutes[];
  /** Status codes of the errors that the handler may raise. `null` or a missing value means any status code. */
  readonly raises?: readonly number[] | null;
  /** True if the handler may send a response itself. Default: true. */
  readonly responds?: boolean;
}

export type FlowOf = (options: JsonObject) => HandlerFlow;

/** A set of requests, defined by one aspect. `covers` and `excludes` return true only if the result is certain. */
export interface Domain {
  /** Reports whether this domain contains all requests in another domain of the same matcher. */
  covers(other: Domain): boolean;
  /** Reports whether two domains are disjoint. */
  excludes(other: Domain): boolean;
  /** Index keys of this domain. If domain A covers domain B, at least one of A's `keys` is among the `seeks` of B. */
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
  /** True if the domain contains no requests. */
  readonly isEmpty: boolean;
}

/** Declared properties of a matcher. */
export interface MatcherFacts {
  /** All request aspects that affect the result. Missing if there may be further aspects. */
  readonly reads?: readonly Aspect[];
  /** Returns the set of requests that match. Returns `null` if these options cannot be analyzed. */
  readonly domain?: (options: unknown) => Domain | null;
  /**
   * Returns a broader matcher set, which matches every request that this matcher matches. Example: `{ path: ['/api/*'] }`. Returns `null`
   * if no such set is known.
   */
  readonly implies?: (options: unknown) => JsonObject | null;
}

/** Declarations for a package's modules, keyed by module name. */
export interface FlowContribution extends Contribution {
  readonly load: () => Promise<{
    readonly handlers?: Readonly<Record<string, FlowOf>>;
    readonly matchers?: Readonly<Record<string, MatcherFacts>>;
  }>;
}

/** Contribution point for these declarations: `registry.contribute(flows, { name: 'my-package', load: … })`. */
export const flows: ContributionPoint<FlowContribution> = contributionPoint('flow');
