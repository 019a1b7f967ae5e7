/** Results of directives. */
import type { Json } from '@sluice/base';

/** Request matchers by name. All of them must match. */
export type MatcherSetConfig = Record<string, Json>;

/** Route under construction. The fields are in the order of Caddy's native JSON. */
export interface RouteConfig {
  group?: string;
  match?: readonly MatcherSetConfig[];
  handle?: readonly Json[];
  terminal?: boolean;
}

/** Routes that stay together in this order. */
export interface RouteSequence {
  readonly routes: readonly RouteConfig[];
}

/**
 * Configuration for a directive's site. `pile` is the kind of configuration: `route` for routes; `bind`, `tls.…`,
 * `custom_log`, `error_route` and others for other site settings.
 */
export interface ConfigValue {
  readonly pile: string;
  readonly value: unknown;
  /** Name of the directive. Set by the caller of the directive. */
  readonly directive?: string;
}

export function isSequence(value: RouteConfig | RouteSequence): value is RouteSequence {
  return 'routes' in value;
}
