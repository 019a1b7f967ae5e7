/** Options of client authentication. */
import { choice, inlineModule, inlineModules, options, strings, type Options } from '@sluice/registry';
import { caPoolSources } from './ca-pool.ts';
import { clientVerifiers } from './client-verifier.ts';

export const clientAuthOptions = options({
  ca: inlineModule('Certificate authorities to verify client certificates with.', caPoolSources, 'provider'),
  trusted_ca_certs: strings('Trusted certificate authorities: DER, base64-encoded. `ca` supports more sources.'),
  trusted_ca_certs_pem_files: strings(
    'PEM files containing trusted certificate authorities. `ca` supports more sources.',
  ),
  trusted_leaf_certs: strings(
    'Accepted client certificates: DER, base64-encoded. All others are rejected. Requires `mode`, or certificate authorities that issued them.',
  ),
  verifiers: inlineModules('Additional verifiers for client certificates.', clientVerifiers, 'verifier'),
  mode: choice(
    'Client authentication mode. Default: require_and_verify if there are certificate authorities or trusted_leaf_certs, otherwise require.',
    ['request', 'require', 'verify_if_given', 'require_and_verify', ''],
  ),
});

export type ClientAuthConfig = Options<typeof clientAuthOptions>;
