/** The app `tls`, and the contracts of what it hosts. */
import type { Registry } from '@sluice/registry';
import { addCertificateRoutes } from './admin-routes.ts';
import { registerCaddyfile } from './caddyfile/register.ts';

export * from './contracts/index.ts';
export { tlsAppModule } from './app.ts';
export { matchesName, normalName } from './certificates/names.ts';
export { expandGlobal, expandUrl } from './global-text.ts';
export { provisionIdentity } from './identity/provision.ts';

/** Adds the app and its admin routes. */
export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'tls', load: async () => (await import('./app.ts')).tlsAppModule });
  registerCaddyfile(registry);
  registry.hooks.adminRoutes.tap('tls', addCertificateRoutes);
}
