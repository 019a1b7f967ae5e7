/** Scenarios of the reverse proxy. The upstream is nginx, beside the load on processor 1: it must not be what is measured. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenarios.ts';
import { startNginx } from './servers.ts';

/** Scenarios whose upstream runs. */
export interface Proxied {
  readonly scenarios: readonly Scenario[];
  stop(): Promise<void>;
}

/** Starts the upstream, which serves the files of a folder and one more; `null` if there is no nginx here. */
export async function startProxied(folder: string): Promise<Proxied | null> {
  writeFileSync(join(folder, '1m.txt'), 'x'.repeat(1_048_576));
  const upstream = await startNginx(
    `root ${folder}; location = /plain { default_type text/plain; return 200 "Hello, world!"; }`,
    1,
  );
  if (upstream === null) return null;
  const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${upstream.port}` }] };
  const routes = [{ handle: [proxy] }];
  return {
    scenarios: [
      { name: 'proxied plain response', routes, path: '/plain' },
      { name: 'proxied body of 100 KiB', routes, path: '/100k.txt' },
      { name: 'proxied body of 1 MiB', routes, path: '/1m.txt', connections: 16 },
    ],
    stop: () => upstream.stop(),
  };
}
