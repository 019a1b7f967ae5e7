/** Directives and global options of the app `http`. */
import { contributeOptions, directives, siteInverses, syntaxesOf } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const names = [
  'http_port',
  'https_port',
  'grace_period',
  'shutdown_delay',
  'error_pages',
  'default_sni',
  'fallback_sni',
  'auto_https',
  'default_bind',
  'metrics',
  'servers',
] as const;

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(
    directives,
    {
      name: 'bind',
      load: async () => (await import('./bind.ts')).bind,
      describe: async () => (await import('./describe.ts')).bind,
    },
    {
      name: 'log',
      load: async () => (await import('./log.ts')).log,
      describe: async () => (await import('./describe.ts')).log,
    },
  );
  registry.contribute(
    siteInverses,
    { name: 'bind', load: async () => (await import('./inverse-bind.ts')).bind },
    { name: 'log', load: async () => (await import('./inverse-log.ts')).log },
  );
  const options = syntaxesOf(names, async () => (await import('./options.ts')).options);
  contributeOptions(registry, options, async () => (await import('./finish.ts')).finishHttp);
  contributeOptions(
    registry,
    { filesystem: async () => (await import('./options.ts')).filesystem },
    async () => (await import('./finish.ts')).finishFileSystems,
  );
}
