/** The `pki` app. */
import { references, type Registry } from '@sluice/registry';
import { registerCaddyfile } from './caddyfile/register.ts';

export { defaultAuthority, pkiApp } from './contract.ts';
export { authorityRenewed, watchAuthorities, type AuthorityCertificates } from './authority-certificates.ts';
export type { Authority } from './authority/authority.ts';
export { thisMachine } from './trust/machine.ts';
export { rootCertificate, type Machine, type RootCertificate } from './trust/store.ts';
export { machineToken, trustRoot, untrustRoot, type TrustOutcome } from './trust/stores.ts';

/** Registers the `pki` app and its admin endpoints. */
export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'pki', load: async () => (await import('./app.ts')).pkiAppModule });
  registerCaddyfile(registry);
  registry.hooks.adminRoutes.tap('pki', ({ lazy }) =>
    lazy(
      ['GET /pki/ca/:id', 'GET /pki/ca/:id/certificates', 'GET /pki/{*rest}'],
      async () => (await import('./admin-routes.ts')).addPkiRoutes,
    ),
  );
  registry.contribute(references, { name: '@sluice/pki-app', load: () => import('./reference.ts') });
}
