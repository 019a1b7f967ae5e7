/** Directives and global options of the app `http`. */
import {
  directives,
  globalOptions,
  type DirectiveContribution,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptionContribution,
} from '@sluice/caddyfile';
import type { Registry } from '@sluice/registry';

const load = async (): Promise<typeof import('./global-options.ts')> => await import('./global-options.ts');
const finish = async (): Promise<FinishConfig> => (await load()).finishHttp;

function option(name: string, read: () => Promise<GlobalOption>): GlobalOptionContribution {
  return { name, load: read, finish };
}

const ofSites: readonly DirectiveContribution[] = [
  { name: 'bind', load: async () => (await import('./bind.ts')).bind },
  { name: 'log', load: async () => (await import('./log.ts')).log },
];

const ofServers: readonly GlobalOptionContribution[] = [
  option('http_port', async () => (await load()).port),
  option('https_port', async () => (await load()).port),
  option('grace_period', async () => (await load()).duration),
  option('shutdown_delay', async () => (await load()).duration),
  option('default_sni', async () => (await load()).text),
  option('fallback_sni', async () => (await load()).text),
  option('auto_https', async () => (await load()).autoHttps),
  option('default_bind', async () => (await load()).defaultBind),
  option('metrics', async () => (await load()).metrics),
  option('servers', async () => (await import('./servers.ts')).servers),
  {
    name: 'filesystem',
    load: async () => (await load()).filesystem,
    finish: async () => (await load()).finishFileSystems,
  },
];

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(directives, ...ofSites);
  registry.contribute(globalOptions, ...ofServers);
}
