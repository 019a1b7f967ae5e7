/** Global options of the app `pki`. */
import { globalOptions, type FinishConfig } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const finish = async (): Promise<FinishConfig> => (await import('./global-options.ts')).finishPki;

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(
    globalOptions,
    { name: 'pki', load: async () => (await import('./global-options.ts')).pki, finish },
    {
      name: 'skip_install_trust',
      load: async () => (await import('./global-options.ts')).skipInstallTrust,
      finish,
    },
  );
}
