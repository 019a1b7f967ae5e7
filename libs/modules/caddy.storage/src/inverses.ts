/** How stores are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';
import type { StoreLines } from './server/caddyfile.ts';

const contributions: readonly ModuleInverse[] = [
  { name: 'caddy.storage.file_system', load: async () => (await import('@sluice/caddyfile')).wordsOf('root') },
  onServer('etcd', async () => (await import('./server/lines.ts')).etcdLines),
  onServer('postgres', async () => (await import('./server/lines.ts')).postgresLines),
  onServer('redis', async () => (await import('./server/lines.ts')).redisLines),
  onServer('s3', async () => (await import('./server/lines.ts')).s3Lines),
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}

function onServer(name: string, lines: () => Promise<StoreLines>): ModuleInverse {
  const load = async (): ReturnType<ModuleInverse['load']> =>
    (await import('./server/caddyfile.ts')).storeInverse(await lines());
  return { name: `caddy.storage.${name}`, load };
}
