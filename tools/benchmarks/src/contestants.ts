/** Servers to benchmark: Sluice, Caddy and nginx, or two commits of Sluice. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { withRoutes } from './configs.ts';
import { load } from './load.ts';
import type { Scenario } from './scenarios.ts';
import {
  nativeServers,
  startNative,
  startNginx,
  type NativeServer,
  type NginxConfig,
  type Running,
} from './servers.ts';
import type { Way } from './way.ts';

/**
 * Starts a server for a scenario. Returns `null` if the server does not support the scenario. `earlier` contains the servers that were
 * started before.
 */
export interface Contestant {
  readonly name: string;
  start(scenario: Scenario, earlier: readonly Running[]): Promise<Running | null>;
}

/** Returns the load generator for a scenario. */
export function wayOf({ way, headers = [] }: Scenario): Way {
  return way ?? plainWay(headers);
}

/** Returns a load generator that runs wrk over unencrypted connections. */
function plainWay(headers: readonly string[]): Way {
  return {
    missing: null,
    config: withRoutes,
    ready: () => Promise.resolve(),
    ask: ({ port, path, seconds, connections }) =>
      load(`http://127.0.0.1:${port}${path}`, { seconds, headers, connections }),
  };
}

/** Returns Sluice and all installed competitors. */
export function allContestants(): Contestant[] {
  return [...nativeServers().map((server) => native(server)), nginx];
}

/** Returns a benchmarked server that is configured with native JSON. */
export function native({ name, command }: NativeServer): Contestant {
  return {
    name,
    async start(scenario) {
      if (scenario.isOwn === true && name === 'caddy') return null;
      const way = wayOf(scenario);
      const server = await startNative(name, command, way.config(scenario.routes, scenario.http));
      await way.ready(server.port);
      return server;
    },
  };
}

/** Returns Sluice configured without the options whose cost the benchmark measures. */
export function withoutOptions({ name, command }: NativeServer): Contestant {
  return {
    name: `${name} without`,
    start: (scenario) => native({ name: `${name} without`, command }).start({ ...scenario, http: {} }, []),
  };
}

const nginx: Contestant = {
  name: 'nginx',
  start({ nginx: config }, earlier) {
    if (config === undefined) return Promise.resolve(null);
    return startNginx(config.listen === undefined ? config : withCertificate(config, earlier));
  },
};

/** Adds the certificate chain and key that Sluice obtained from its internal CA. */
function withCertificate(config: NginxConfig, earlier: readonly Running[]): NginxConfig {
  const folder = earlier[0]?.folder ?? '';
  const found = (ending: string): string =>
    join(folder, globSync(`**/certificates/local/**/*.${ending}`, { cwd: folder })[0] ?? `missing.${ending}`);
  const tls = `ssl_protocols TLSv1.3; ssl_certificate ${found('crt')}; ssl_certificate_key ${found('key')};`;
  return { ...config, server: `${tls} ${config.server}` };
}
