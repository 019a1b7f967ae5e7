/** Benchmark scenarios of the reverse proxy. The upstream is nginx on CPU 1, next to the load generator, and must not be the bottleneck. */
import type { Scenario } from './scenarios.ts';
import { startNginx } from './servers.ts';

/** Reverse proxy scenarios, with a running upstream. */
export interface Proxied {
  readonly scenarios: readonly Scenario[];
  stop(): Promise<void>;
}

/** Starts the upstream, which serves the files of a directory and one additional file. Returns `null` if nginx is not installed. */
export async function startProxied(folder: string): Promise<Proxied | null> {
  const hello = 'default_type text/plain; return 200 "Hello, world!";';
  const server = `root ${folder}; location = /plain { ${hello} } location = /cached { add_header Cache-Control max-age=3600; ${hello} }`;
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
      {
        name: 'cached plain response',
        routes: [{ handle: [{ handler: 'cache' }, { handler: 'reverse_proxy', upstreams: [{ dial }] }] }],
        path: '/cached',
        isOwn: true,
        connections: 64,
      },
    ],
    stop: () => upstream.stop(),
  };
}
