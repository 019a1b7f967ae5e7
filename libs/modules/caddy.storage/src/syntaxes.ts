/** The syntax of stores in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';
import type { StoreLines } from './server/caddyfile.ts';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'caddy.storage.file_system', load: async () => (await import('./file_system/caddyfile.ts')).readFileSystem },
  onServer('etcd', async () => (await import('./server/lines.ts')).etcdLines),
  onServer('postgres', async () => (await import('./server/lines.ts')).postgresLines),
  onServer('redis', async () => (await import('./server/lines.ts')).redisLines),
  onServer('s3', async () => (await import('./server/lines.ts')).s3Lines),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.storage', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}

function onServer(name: string, lines: () => Promise<StoreLines>): ModuleSyntaxContribution {
  const load = async (): ReturnType<ModuleSyntaxContribution['load']> =>
    (await import('./server/caddyfile.ts')).storeReader(await lines());
  return { name: `caddy.storage.${name}`, load };
}
