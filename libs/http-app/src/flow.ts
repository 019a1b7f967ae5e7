/**
 * Facts that handlers and matchers declare for static checks of routes. They must hold for all requests. Anything undeclared, and any
 * module that declares nothing, counts as "may do anything".
 */
import type { ConfigPath, JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** Part of a request that matchers read and handlers change. */
export type Aspect = 'host' | 'path' | 'query' | 'method' | 'header' | 'body' | 'protocol' | 'remote' | 'tls' | 'vars';

/** A list of routes within the options of a handler. */
export interface NestedRoutes {
  /** Path of the list within the options. */
  readonly at: ConfigPath;
  /** `request`: it is entered instead of what follows. `later`: by an error or a response, whatever the request is by then. */
  readonly entry: 'request' | 'later';
}

/** Effect of a handler on requests. */
export interface HandlerFlow {
  /**
   * `never`: later handlers never see a request, because this one responds or fails. `through`: only requests that pass its lists of entry
   * `request`. `maybe`: otherwise.
   */
  readonly passes: 'never' | 'through' | 'maybe';
  /** Aspects it may change before passing a request on; `null` for any. */
  readonly changes: readonly Aspect[] | null;
  readonly lists?: readonly NestedRoutes[];
  /** Statuses of the errors it may raise; `null` or omitted for any. */
  readonly raises?: readonly number[] | null;
  /** True if it may respond itself. Default: true. */
  readonly responds?: boolean;
}

export type FlowOf = (options: JsonObject) => HandlerFlow;

/** A set of requests in terms of one aspect. Only certain results count: otherwise `covers` and `excludes` are false. */
export interface Domain {
  /** Reports whether all requests of the other domain, which belongs to the same matcher, are certainly in this one. */
  covers(other: Domain): boolean;
  /** Reports whether certainly no request is in both. */
  excludes(other: Domain): boolean;
  /** If a domain covers another one, its `keys` contain one of the other's `seeks`. */
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
  /** True if no request is in the domain. */
  readonly isEmpty: boolean;
}

/** Declared facts about a matcher. */
export interface MatcherFacts {
  /** The only aspects its result depends on; omitted if it may depend on more. */
  readonly reads?: readonly Aspect[];
  /** Returns the matched requests; `null` if these options can't be analyzed. */
  readonly domain?: (options: unknown) => Domain | null;
  /**
   * Returns a matcher set that certainly matches whenever this matcher does, for example `{ path: ['/api/*'] }`; `null` if none is known.
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
