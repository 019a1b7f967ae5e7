/** Scenarios of the reverse proxy. The upstream is nginx, beside the load on processor 1: it must not be what is measured. */
import type { Scenario } from './scenarios.ts';
import { startNginx } from './servers.ts';

/** Scenarios whose upstream runs. */
export interface Proxied {
  readonly scenarios: readonly Scenario[];
  stop(): Promise<void>;
}

/** Starts the upstream, which serves the files of a folder and one more; `null` if there is no nginx here. */
export async function startProxied(folder: string): Promise<Proxied | null> {
  const server = `root ${folder}; location = /plain { default_type text/plain; return 200 "Hello, world!"; }`;
  const upstream = await startNginx({ server }, 1);
  if (upstream === null) return null;
  const dial = `127.0.0.1:${upstream.port}`;
  const routes = [{ handle: [{ handler: 'reverse_proxy', upstreams: [{ dial }] }] }];
  const nginx = {
    server: `location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }`,
    beside: `upstream up { server ${dial}; keepalive 64; }`,
  };
  const proxied = (what: string, path: string, connections: number): Scenario => ({
    name: `proxied ${what}`,
    routes,
    path,
    nginx,
    connections,
    inTable: path !== '/100k.txt',
  });
  return {
    scenarios: [
      proxied('plain response', '/plain', 64),
      proxied('body of 100 KiB', '/100k.txt', 64),
      proxied('body of 1 MiB', '/1m.txt', 16),
    ],
    stop: () => upstream.stop(),
  };
}
