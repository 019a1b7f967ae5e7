/** Directives and global options of the app `http`. */
import {
  directives,
  globalOptions,
  type DirectiveContribution,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptionContribution,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const finish = async (): Promise<FinishConfig> => (await import('./global-options.ts')).finishHttp;

function option(name: string, read: () => Promise<GlobalOption>): GlobalOptionContribution {
  return { name, load: read, finish };
}

const ofSites: readonly DirectiveContribution[] = [
  { name: 'bind', load: async () => (await import('./bind.ts')).bind },
  { name: 'log', load: async () => (await import('./log.ts')).log },
];

const ofServers: readonly GlobalOptionContribution[] = [
  option('http_port', async () => (await import('./global-options.ts')).port),
  option('https_port', async () => (await import('./global-options.ts')).port),
  option('grace_period', async () => (await import('./global-options.ts')).duration),
  option('shutdown_delay', async () => (await import('./global-options.ts')).duration),
  option('default_sni', async () => (await import('./global-options.ts')).text),
  option('fallback_sni', async () => (await import('./global-options.ts')).text),
  option('auto_https', async () => (await import('./global-options.ts')).autoHttps),
  option('default_bind', async () => (await import('./global-options.ts')).defaultBind),
  option('metrics', async () => (await import('./global-options.ts')).metrics),
  option('servers', async () => (await import('./servers.ts')).servers),
  {
    name: 'filesystem',
    load: async () => (await import('./global-options.ts')).filesystem,
    finish: async () => (await import('./global-options.ts')).finishFileSystems,
  },
];

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(directives, ...ofSites);
  registry.contribute(globalOptions, ...ofServers);
}
