/** Global options of the app `pki`. */
import { globalOptions, type Description, type FinishConfig } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const finish = async (): Promise<FinishConfig> => (await import('./global-options.ts')).finishPki;

const describe = (name: string) => async (): Promise<Description> =>
  (await import('./describe-options.ts')).pkiDescriptions[name] as Description;

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(
    globalOptions,
    { name: 'pki', load: async () => (await import('./global-options.ts')).pki, finish, describe: describe('pki') },
    {
      name: 'skip_install_trust',
      load: async () => (await import('./global-options.ts')).skipInstallTrust,
      finish,
      describe: describe('skip_install_trust'),
    },
  );
}
