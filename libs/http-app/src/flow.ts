/**
 * Facts that handlers and matchers declare for static analysis of routes. The facts must hold for all requests. A
 * module without declarations may do anything.
 */
import type { ConfigPath, JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** Part of a request that matchers read and handlers change. */
export type Aspect = 'host' | 'path' | 'query' | 'method' | 'header' | 'body' | 'protocol' | 'remote' | 'tls' | 'vars';

/** A list of routes within a handler's options. */
export interface NestedRoutes {
  /** Path of the list within the options. */
  readonly at: ConfigPath;
  /**
   * `request`: the request enters these routes instead of the following handlers. `later`: errors or responses enter
   * these routes, whatever the request is by then.
   */
  readonly entry: 'request' | 'later';
}

/** Effect of a handler on requests. */
export interface HandlerFlow {
  /**
   * `never`: no request reaches later handlers, because this handler responds or fails. `through`: only requests that
   * pass its lists with entry `request` do. `maybe`: otherwise.
   */
  readonly passes: 'never' | 'through' | 'maybe';
  /** Aspects that it may change before it calls the next handler; `null` for any. */
  readonly changes: readonly Aspect[] | null;
  readonly lists?: readonly NestedRoutes[];
  /** Statuses of the errors it may raise; `null` or omitted for any. */
  readonly raises?: readonly number[] | null;
  /** True if the handler may respond itself. Default: true. */
  readonly responds?: boolean;
}

export type FlowOf = (options: JsonObject) => HandlerFlow;

/** A set of requests, described by one aspect. `covers` and `excludes` return true only if they are certain. */
export interface Domain {
  /** Reports whether this domain contains all requests of another domain of the same matcher. */
  covers(other: Domain): boolean;
  /** Reports whether no request is in both domains. */
  excludes(other: Domain): boolean;
  /** If this domain covers another, its `keys` contain one of the other's `seeks`. */
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
  /** True if the domain contains no requests. */
  readonly isEmpty: boolean;
}

/** Declared facts about a matcher. */
export interface MatcherFacts {
  /** The only aspects that affect the result; omitted if there may be more. */
  readonly reads?: readonly Aspect[];
  /** Returns the matched requests; `null` if these options can't be analyzed. */
  readonly domain?: (options: unknown) => Domain | null;
  /**
   * Returns a matcher set that matches whenever this matcher matches, for example `{ path: ['/api/*'] }`; `null` if
   * none is known.
   */
  readonly implies?: (options: unknown) => JsonObject | null;
}

/** Declarations of a package's modules, by module name. */
export interface FlowContribution extends Contribution {
  readonly load: () => Promise<{
    readonly handlers?: Readonly<Record<string, FlowOf>>;
    readonly matchers?: Readonly<Record<string, MatcherFacts>>;
  }>;
}

/** Extension point for these declarations: `registry.contribute(flows, { name: 'my-package', load: … })`. */
export const flows: ContributionPoint<FlowContribution> = contributionPoint('flow');
