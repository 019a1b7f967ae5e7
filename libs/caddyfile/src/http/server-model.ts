/** Server under construction. */
import type { Json } from '@sluice/base';
import type { RouteConfig } from './config-value.ts';
import type { Listener } from './listeners.ts';
import type { ServerLogs } from './server-logs.ts';
import type { ConnectionPolicy } from './tls-values.ts';

/** Automatic HTTPS settings, as in native JSON. */
export interface AutomaticHttps {
  disable?: boolean;
  disable_redirects?: boolean;
  disable_certificates?: boolean;
  ignore_loaded_certificates?: boolean;
  skip?: string[];
}

export interface Server {
  name: string;
  listeners: readonly Listener[];
  routes: RouteConfig[];
  /** Error routes. `null` if there are none. */
  errorRoutes: RouteConfig[] | null;
  namedRoutes: Record<string, Json>;
  policies: ConnectionPolicy[];
  automaticHttps: AutomaticHttps | null;
  logs: ServerLogs | null;
  /** Settings from the global option `servers`. */
  settings: Readonly<Record<string, Json>>;
}
