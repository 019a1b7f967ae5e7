/** Registers the directives and global options of the `http` app. */
import { contributeHandlers, contributeOptions, syntaxesOf, type HandlerDirective } from '@sluice/caddyfile/contribute';
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

const ofSite = (name: string): Omit<HandlerDirective, 'load'> => ({
  name,
  inverse: false,
  described: { namespace: '', name: 'http' },
});

export function registerCaddyfile(registry: Registry): void {
  contributeHandlers(
    registry,
    {
      ...ofSite('bind'),
      load: async () => (await import('./bind.ts')).bind,
      writeSite: async () => (await import('./bind.ts')).writeBind,
    },
    {
      ...ofSite('log'),
      load: async () => (await import('./log.ts')).log,
      writeSite: async () => (await import('./log.ts')).writeLog,
    },
  );
  const options = syntaxesOf(names, async () => (await import('./options.ts')).options);
  contributeOptions(registry, options, async () => (await import('./finish.ts')).finishHttp);
  contributeOptions(
    registry,
    { filesystem: async () => (await import('./options.ts')).filesystem },
    async () => (await import('./finish.ts')).finishFileSystems,
  );
}
