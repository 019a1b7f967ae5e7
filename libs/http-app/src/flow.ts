/**
 * Facts that handlers and matchers declare for static route checks. The facts must hold for all requests. Undeclared facts, and modules
 * that declare none, count as "may do anything".
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
   * `request`: the request enters these routes instead of the following handlers. `later`: errors and responses enter
   * these routes, regardless of the request's state by then.
   */
  readonly entry: 'request' | 'later';
}

/** Effect of a handler on requests. */
export interface HandlerFlow {
  /**
   * `never`: later handlers never receive a request, because this handler responds or fails. `through`: later handlers receive only
   * requests that pass its lists with entry `request`. `maybe`: otherwise.
   */
  readonly passes: 'never' | 'through' | 'maybe';
  /** Aspects it may change before passing a request on; `null` for any. */
  readonly changes: readonly Aspect[] | null;
  readonly lists?: readonly NestedRoutes[];
  /** Statuses of the errors it may raise; `null` or omitted for any. */
  readonly raises?: readonly number[] | null;
  /** True if the handler may respond itself. Default: true. */
  readonly responds?: boolean;
}

export type FlowOf = (options: JsonObject) => HandlerFlow;

/** A set of requests in terms of one aspect. `covers` and `excludes` return true only if they are certain. */
export interface Domain {
  /** Reports whether this domain certainly contains all requests of another domain of the same matcher. */
  covers(other: Domain): boolean;
  /** Reports whether certainly no request is in both. */
  excludes(other: Domain): boolean;
  /** If a domain covers another domain, its `keys` contain one of the other domain's `seeks`. */
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
  /** True if no request is in the domain. */
  readonly isEmpty: boolean;
}

/** Declared facts about a matcher. */
export interface MatcherFacts {
  /** The only aspects that affect the result; omitted if there may be more. */
  readonly reads?: readonly Aspect[];
  /** Returns the matched requests; `null` if these options can't be analyzed. */
  readonly domain?: (options: unknown) => Domain | null;
  /**
   * Returns a matcher set that certainly matches whenever this matcher matches, for example `{ path: ['/api/*'] }`; `null` if none is
   * known.
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
