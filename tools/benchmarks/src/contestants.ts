/** Who takes part in a measurement: ours, the reference and nginx, or two commits of ours. */
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

/** Starts a server for a scenario, or gives `null` where it cannot do the same. `earlier` are those that run already. */
export interface Contestant {
  readonly name: string;
  start(scenario: Scenario, earlier: readonly Running[]): Promise<Running | null>;
}

/** How a scenario is asked. */
export function wayOf({ way, headers = [] }: Scenario): Way {
  return way ?? plainWay(headers);
}

/** By wrk over plain connections. */
function plainWay(headers: readonly string[]): Way {
  return {
    missing: null,
    config: withRoutes,
    ready: () => Promise.resolve(),
    ask: ({ port, path, seconds, connections }) =>
      load(`http://127.0.0.1:${port}${path}`, { seconds, headers, connections }),
  };
}

/** Ours and whatever rivals are found. */
export function allContestants(): Contestant[] {
  return [...nativeServers().map((server) => native(server)), nginx];
}

/** A server that takes the native JSON. */
export function native({ name, command }: NativeServer): Contestant {
  return {
    name,
    async start(scenario) {
      const way = wayOf(scenario);
      const server = await startNative(name, command, way.config(scenario.routes, scenario.http));
      await way.ready(server.port);
      return server;
    },
  };
}

/** Ours without the options whose price is asked for. */
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

/** With the chain and the key that our server has obtained from its own authority. */
function withCertificate(config: NginxConfig, earlier: readonly Running[]): NginxConfig {
  const folder = earlier[0]?.folder ?? '';
  const found = (ending: string): string =>
    join(folder, globSync(`**/certificates/local/**/*.${ending}`, { cwd: folder })[0] ?? `missing.${ending}`);
  const tls = `ssl_protocols TLSv1.3; ssl_certificate ${found('crt')}; ssl_certificate_key ${found('key')};`;
  return { ...config, server: `${tls} ${config.server}` };
}
