/** How the directives and global options of the app `http` are written again. */
import { globalInverses, siteInverses, type GlobalInverse, type WriteGlobalOption } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const simple = [
  'http_port',
  'https_port',
  'grace_period',
  'shutdown_delay',
  'error_pages',
  'default_sni',
  'fallback_sni',
  'auto_https',
];

const options: readonly GlobalInverse[] = [
  ...simple.map((name) => ({
    name,
    load: async () => (await import('./inverse-options.ts')).optionWriters[name] as WriteGlobalOption,
  })),
  { name: 'default_bind', load: async () => (await import('./inverse-bind.ts')).defaultBind },
  { name: 'metrics', load: async () => (await import('./inverse-options.ts')).metrics },
  { name: 'filesystem', load: async () => (await import('./inverse-options.ts')).filesystem },
  { name: 'servers', load: async () => (await import('./inverse-servers.ts')).servers },
];

/** Adds them. */
export function registerInverses(registry: Registry): void {
  registry.contribute(
    siteInverses,
    { name: 'bind', load: async () => (await import('./inverse-bind.ts')).bind },
    { name: 'log', load: async () => (await import('./inverse-log.ts')).log },
  );
  registry.contribute(globalInverses, ...options);
}
