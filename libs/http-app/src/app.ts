/** The `http` app. Provisions servers, binds their listeners, and replaces configurations while the servers run. */
import { appToken, apps, defineModule, type AppToken, type Context, type Options } from '@sluice/registry';
import { parseDuration } from '@sluice/base';
import { errorPagesToken, gracePeriodToken, httpPortToken, httpsPortToken, shutdownDelayToken } from './app-tokens.ts';
import { isOnPort } from './automatic-https/decision.ts';
import { Redirects } from './automatic-https/redirects.ts';
import { redirectServer, redirectServerNode, redirectTable } from './automatic-https/wire.ts';
import { metricsModeOf, metricsModeToken } from './metrics/provision.ts';
import { httpOptions } from './options.ts';
import { shareConnections } from './server/connections.ts';
import { provisionServer } from './server/provision.ts';
import type { Server } from './server/server.ts';
import { requestSamplerToken, sampleSettingsToken, type SampleSettings } from './stats/request-sampler.ts';

/** Interface of the `http` app for other apps and for admin routes. */
export interface HttpApp {
  /** Maximum time in milliseconds for requests in flight to finish after their server was removed. 0 means no limit. */
  readonly graceMs: number;
  /** Time that servers continue to run before they are removed, in milliseconds. */
  readonly shutdownDelayMs: number;
  readonly servers: ReadonlyMap<string, Server>;
  /**
   * HTTPS redirects, keyed by the name of the server that sends them. This server listens on the HTTP port. The redirects apply once the
   * configuration is active.
   */
  readonly redirects: ReadonlyMap<string, Redirects>;
  /** Port that never uses TLS, regardless of the connection policies. */
  readonly httpPort: number;
}

export const httpApp: AppToken<HttpApp> = appToken<HttpApp>('http');

export const httpAppModule = defineModule(apps, {
  name: 'http',
  help: 'HTTP app: servers with listeners, routes, matchers and handlers, and error routes.',
  config: httpOptions,
  provision: provisionHttp,
});

async function provisionHttp(config: Options<typeof httpOptions>, context: Context): Promise<HttpApp> {
  const graceMs = parseDuration(config.grace_period ?? 0);
  context.provide(gracePeriodToken, graceMs);
  const shutdownDelayMs = parseDuration(config.shutdown_delay ?? 0);
  context.provide(shutdownDelayToken, shutdownDelayMs);
  context.provide(errorPagesToken, config.error_pages !== 'off');
  context.provide(metricsModeToken, metricsModeOf(config, context));
  const ports = { http: config.http_port || 80, https: config.https_port || 443 };
  context.provide(httpPortToken, ports.http);
  context.provide(httpsPortToken, ports.https);
  const servers = new Map<string, Server>();
  const taken = new Map<string, string>();
  for (const [name, node] of Object.entries(config.servers ?? {})) {
    if (node === null) throw context.error('must be an object of options, not null', 'servers', name);
    const server = await context.structure(node, provisionServer, 'servers', name);
    for (const address of server.addresses) {
      const other = taken.get(address);
      if (other !== undefined)
        throw context.error(`${address} is already used by server ${other}`, 'servers', name, 'listen');
      taken.set(address, name);
    }
    servers.set(name, server);
  }
  const redirectNode = redirectServerNode([...servers.values()], ports);
  if (redirectNode !== null)
    servers.set(redirectServer, await context.structure(redirectNode, provisionServer, 'servers', redirectServer));
  const table = await redirectTable(servers.values(), ports, context);
  const redirects = new Map<string, Redirects>();
  for (const [name, { networkAddresses }] of servers)
    if (table !== null && networkAddresses.some((address) => isOnPort(address, ports.http)))
      redirects.set(name, new Redirects(table, name === redirectServer));
  const samples = sampleSettingsOf(config, context);
  const previous = (context.previous as HttpApp | null)?.servers;
  context.onCanary(() => {
    for (const [name, server] of servers)
      if (previous?.get(name) !== server) server.redirects = redirects.get(name) ?? null;
    return () => undefined;
  });
  context.onTakeOver(() => {
    context.find(requestSamplerToken)?.configure(samples);
    context.find(sampleSettingsToken)?.(samples);
    for (const [name, server] of servers) server.redirects = redirects.get(name) ?? null;
  });
  shareConnections(servers, context);
  return { graceMs, shutdownDelayMs, servers, redirects, httpPort: ports.http };
}

/** Default maximum numbers of recorded requests: per route and host, and in total. */
const defaultSamples: SampleSettings = {
  perRoute: 16,
  maxRequests: 5000,
  maxBody: 0,
  allBodies: false,
  persist: false,
};
/** Upper limits of the sample settings. Each recorded request uses about 1 KiB of memory. */
const maxSamples = { perRoute: 1000, maxRequests: 100_000, maxBody: 65_536 };

function sampleSettingsOf({ samples }: Options<typeof httpOptions>, context: Context): SampleSettings {
  const { disable = false, per_route: perRoute, max_requests: maxRequests, max_body: body } = samples ?? {};
  const maxBody = body ?? defaultSamples.maxBody;
  if (maxBody < 0 || maxBody > maxSamples.maxBody)
    throw context.error(`must be from 0 to ${maxSamples.maxBody}; 0 = no bodies`, 'samples', 'max_body');
  const numberIn = (name: string, value: number | null | undefined, bounds: readonly [number, number]): number => {
    const [standard, maxTime] = bounds;
    if (value === null || value === undefined) return standard;
    if (value >= 1 && value <= maxTime) return value;
    throw context.error(`must be from 1 to ${maxTime}; to disable recording, set disable`, 'samples', name);
  };
  return {
    perRoute: numberIn('per_route', perRoute, [defaultSamples.perRoute, maxSamples.perRoute]) * (disable ? 0 : 1),
    maxRequests: numberIn('max_requests', maxRequests, [defaultSamples.maxRequests, maxSamples.maxRequests]),
    maxBody,
    allBodies: samples?.all_bodies ?? defaultSamples.allBodies,
    persist: samples?.persist ?? defaultSamples.persist,
  };
}
