/** Results of directives. */
import type { Json } from '@sluice/base';

/** Request matchers keyed by name. A request must match all of them. */
export type MatcherSetConfig = Record<string, Json>;

/** A route under construction. The fields have the same order as in Caddy's native JSON. */
export interface RouteConfig {
  group?: string;
  match?: readonly MatcherSetConfig[];
  handle?: readonly Json[];
  terminal?: boolean;
}

/** Several routes whose order must not change. */
export interface RouteSequence {
  readonly routes: readonly RouteConfig[];
}

/**
 * Configuration that a directive adds to its site. `pile` is the kind of configuration: `route` for routes, and `bind`, `tls.…`,
 * `custom_log`, `error_route`, and other kinds for site settings.
 */
export interface ConfigValue {
  readonly pile: string;
  readonly value: unknown;
  /** Name of the directive. The caller of the directive sets this field. */
  readonly directive?: string;
}

export function isSequence(value: RouteConfig | RouteSequence): value is RouteSequence {
  return 'routes' in value;
}
