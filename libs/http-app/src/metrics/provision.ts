/** Provisions request metrics from the configuration. */
import { isObject, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { metricsToken } from '@sluice/telemetry';
import { BoundedSet, sharedMemoryToken } from '@sluice/threads';
import { token, type Context, type Options, type Token } from '@sluice/registry';
import { provisionRoute, type Route } from '../routing/route.ts';
import type { httpOptions } from '../options.ts';
import type { MetricsMode } from './families.ts';
import { maxObservedHosts, ServerMetrics } from './server-metrics.ts';

/** Metrics mode for all servers; provided by the `http` app. */
export const metricsModeToken: Token<MetricsMode> = token<MetricsMode>('metrics-mode');

/** Metrics of the server that the route belongs to; `null` if metrics are off. */
const serverMetricsToken: Token<ServerMetrics | null> = token<ServerMetrics | null>('server-metrics');

/** Returns the metrics mode from the app's options. As in Caddy, enabling metrics for one server enables them for all servers. */
export function metricsModeOf(config: Options<typeof httpOptions>, context: Context): MetricsMode {
  let mode: MetricsMode = 'off';
  for (const { metrics } of [config, ...Object.values(config.servers ?? {}).map((server) => server ?? {})]) {
    if (metrics?.otlp === true && context.roles.control)
      context.log.warn('metrics.otlp has no effect; scrape /metrics of the admin API instead');
    if (metrics === null || metrics === undefined || mode === 'any-host') continue;
    if (metrics.per_host === true) mode = metrics.observe_catchall_hosts === true ? 'any-host' : 'host';
    else if (mode === 'off') mode = 'total';
  }
  return mode;
}

/** Provides server metrics to the routes. If the settings are unchanged, reuses the metrics of the server that is being replaced. */
export async function provideMetrics(
  name: string,
  routes: JsonArray,
  previous: ServerMetrics | null,
  context: Context,
): Promise<ServerMetrics | null> {
  const mode = context.find(metricsModeToken) ?? 'off';
  // The control thread also creates the host set, because all worker threads share it.
  const observed = mode === 'any-host' ? await observedHosts(name, context) : null;
  const metrics = mode === 'off' || !context.roles.traffic ? undefined : context.find(metricsToken);
  const ofServer =
    metrics === undefined
      ? null
      : previous?.mode === mode
        ? previous
        : new ServerMetrics(name, mode, metrics, observed);
  if (ofServer !== null && mode !== 'total') {
    const hosts = hostsOf(routes);
    context.onTakeOver(() => ofServer.nameHosts(hosts));
  }
  context.provide(serverMetricsToken, ofServer);
  return ofServer;
}

/**
 * Returns the set of hosts that have separate metrics although no route names them. All threads share the set, and it survives
 * configuration changes.
 */
async function observedHosts(server: string, context: Context): Promise<BoundedSet> {
  const bytes = BoundedSet.bytesFor(maxObservedHosts);
  const memory = await context.find(sharedMemoryToken)?.acquire(`metrics hosts ${server}`, bytes, context);
  return new BoundedSet(memory ?? new SharedArrayBuffer(bytes), maxObservedHosts);
}

/** Provisions a top-level route with metrics. Nested routes and error routes have no metrics. */
export async function provisionCountedRoute(node: JsonObject, context: Context): Promise<Route> {
  const route = await provisionRoute(node, context);
  const metrics = context.find(serverMetricsToken) ?? null;
  return metrics === null ? route : { ...route, meter: metrics.meter(firstHandler(node)) };
}

function firstHandler({ handle }: JsonObject): string {
  const first = Array.isArray(handle) ? (handle as JsonArray)[0] : undefined;
  return isObject(first) ? String(first['handler']) : '';
}

/** Returns the exact host names in all host matchers of the routes. */
function hostsOf(routes: JsonArray): ReadonlySet<string> {
  const hosts = new Set<string>();
  for (const route of routes) {
    const sets = isObject(route) ? (route['match'] ?? []) : [];
    for (const set of sets as JsonArray) {
      const names: Json = isObject(set) ? (set['host'] ?? []) : [];
      for (const name of names as readonly string[]) if (!/[*{]/.test(name)) hosts.add(name.toLowerCase());
    }
  }
  return hosts;
}
