/** What directives make. */
import type { Json } from '@sluice/base';

/** Matchers of a request that all have to match, by name. */
export type MatcherSetConfig = Record<string, Json>;

/** A route under construction. Fields in the order that the native JSON of the reference has. */
export interface RouteConfig {
  group?: string;
  match?: readonly MatcherSetConfig[];
  handle?: readonly Json[];
  terminal?: boolean;
}

/** Routes that stay together in the order they are in. */
export interface RouteSequence {
  readonly routes: readonly RouteConfig[];
}

/**
 * A piece of configuration for the site that a directive stands in, in a pile of such pieces: `route` for routes; `bind`,
 * `tls.…`, `custom_log`, `error_route` and the like for what becomes of a site otherwise.
 */
export interface ConfigValue {
  readonly pile: string;
  readonly value: unknown;
  /** Name of the directive; set by the caller of the directive. */
  readonly directive?: string;
}

export function isSequence(value: RouteConfig | RouteSequence): value is RouteSequence {
  return 'routes' in value;
}
