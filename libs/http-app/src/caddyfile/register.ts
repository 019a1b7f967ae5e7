/** Directives and global options of the app `http`. */
import {
  directives,
  globalOptions,
  type Description,
  type DirectiveContribution,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptionContribution,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const finish = async (): Promise<FinishConfig> => (await import('./global-options.ts')).finishHttp;

async function describe(name: string): Promise<Description> {
  return (await import('./describe-options.ts')).httpDescriptions[name] as Description;
}

function option(
  name: string,
  read: () => Promise<GlobalOption>,
  details: Pick<GlobalOptionContribution, 'describe'> = { describe: () => describe(name) },
): GlobalOptionContribution {
  return { name, load: read, finish, ...details };
}

const ofSites: readonly DirectiveContribution[] = [
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
  option('error_pages', async () => (await import('./global-options.ts')).errorPages),
  option('metrics', async () => (await import('./global-options.ts')).metrics),
  option('servers', async () => (await import('./servers.ts')).servers),
  {
    name: 'filesystem',
    load: async () => (await import('./global-options.ts')).filesystem,
    finish: async () => (await import('./global-options.ts')).finishFileSystems,
    describe: () => describe('filesystem'),
  },
];

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(directives, ...ofSites);
  registry.contribute(globalOptions, ...ofServers);
}
