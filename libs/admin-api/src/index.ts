/** The admin API, which reads and changes the configuration of a running server over HTTP. */
import { lintChecks, references, type Registry } from '@sluice/registry';
import { adminSection } from './section.ts';

export { openAccess } from './access/access.ts';
export { createToken, TokenAccess, type TokenOptions } from './access/tokens.ts';
export { serveAdmin } from './admin-server.ts';
export { parseAdminAddress } from './endpoint/address.ts';
export { AdminEndpoint } from './endpoint/endpoint.ts';
export { Guard, type GuardedRequest, type GuardSettings } from './endpoint/guard.ts';
export type { Proposal, ProposalStore } from './proposal.ts';
export type { ReportSigner } from './report-signer.ts';
export { ConfigPuller } from './loading/puller.ts';
export { adminEndpoint, configPuller, remoteEndpoint } from './service-tokens.ts';

/** Registers the `admin` section in every thread, so that all threads accept documents that contain this section. */
export function register(registry: Registry): void {
  registry.addSection(adminSection);
  registry.contribute(lintChecks, {
    name: 'SL038',
    load: async () => (await import('./lint/open-admin.ts')).openAdmin,
  });
  registry.contribute(references, { name: '@sluice/admin-api', load: () => import('./reference.ts') });
}
