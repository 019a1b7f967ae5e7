/** Registers the global options of the `pki` app. */
import { contributeOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

export function registerCaddyfile(registry: Registry): void {
  contributeOptions(
    registry,
    {
      pki: async () => (await import('./global-options.ts')).pki,
      skip_install_trust: async () => (await import('./global-options.ts')).skipInstallTrust,
    },
    async () => (await import('./global-options.ts')).finishPki,
  );
}
