/** The admin API: reading and changing the configuration of a server that runs, over HTTP. */
import { references, type Registry } from '@sluice/registry';
import { adminSection } from './section.ts';

export { openAccess, type Access, type Refusal } from './access/access.ts';
export { Authority, type PermissionOptions } from './access/authority.ts';
export { CertificateAccess, type AccessOptions } from './access/certificates.ts';
export { createToken, TokenAccess, type NewToken, type TokenOptions } from './access/tokens.ts';
export { serveAdmin, type AdminServerOptions } from './admin-server.ts';
export { parseAdminAddress } from './endpoint/address.ts';
export {
  adminEndpoint,
  AdminEndpoint,
  remoteEndpoint,
  type EndpointOptions,
  type EndpointSettings,
  type PreparedEndpoint,
} from './endpoint/endpoint.ts';
export { Guard, type GuardedRequest, type GuardSettings, type Verdict } from './endpoint/guard.ts';
export { ConfigPuller, configPuller } from './loading/puller.ts';
export { isBug, RequestError } from './errors.ts';
export { adminOptions, adminSection } from './section.ts';

/** Registers the section `admin` of the configuration. Every thread does, so that documents with it are accepted. */
export function register(registry: Registry): void {
  registry.addSection(adminSection);
  registry.contribute(references, {
    name: '@sluice/admin-api',
    load: async () => (await import('./reference.ts')).reference,
  });
}
