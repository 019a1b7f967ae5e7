/** How the global options of the app `pki` are written again. */
import { globalInverses } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

/** Adds them. */
export function registerInverses(registry: Registry): void {
  registry.contribute(
    globalInverses,
    { name: 'pki', load: async () => (await import('./inverse-options.ts')).pki },
    { name: 'skip_install_trust', load: async () => (await import('./inverse-options.ts')).skipInstallTrust },
  );
}
