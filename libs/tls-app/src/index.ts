/** The `tls` app and the interfaces of its modules. */
import { references, type Registry } from '@sluice/registry';
import { registerLint } from './lint/register.ts';
import { registerCaddyfile } from './caddyfile/register.ts';

export {
  type CertificateLoader,
  type CertificateManager,
  type CertificateOrder,
  type CertificatePair,
  type ChallengeBoard,
  type IssuedCertificate,
  type Issuer,
  type LoadedCertificate,
  type Permission,
  type RenewalWindow,
  type SharedChallenges,
  type TicketKeySettings,
  type TicketKeySource,
  certificateLoaders,
  certificateManagers,
  certificateStorageToken,
  challengeBoardToken,
  dnsDefaultsToken,
  issuers,
  permissions,
  ticketKeySources,
} from './contracts/index.ts';
export { clientAuthentication } from './caddyfile/client-authentication.ts';
export { matchesName, normalName } from './certificates/names.ts';
export { parseHello, parseHelloMessage, type HelloFacts } from './termination/parse-hello.ts';
export { safeName } from './safe-name.ts';
export { expandGlobal, expandUrl } from './global-text.ts';

/** Registers the `tls` app and its admin API routes. */
export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'tls', load: async () => (await import('./app.ts')).tlsAppModule });
  registerCaddyfile(registry);
  registerLint(registry);
  registry.hooks.adminRoutes.tap('tls', ({ lazy }) =>
    lazy(
      ['GET /certificates', 'POST /certificates/:name/renew'],
      async () => (await import('./admin-routes.ts')).addCertificateRoutes,
    ),
  );
  registry.contribute(references, { name: '@sluice/tls-app', load: () => import('./reference.ts') });
}
