/** Options of client authentication. */
import { choice, inlineModule, inlineModules, options, strings, type Options } from '@sluice/registry';
import { caPoolSources } from './ca-pool.ts';
import { clientVerifiers } from './client-verifier.ts';

export const clientAuthOptions = options({
  ca: inlineModule(
    'Source of trusted certificate authorities for verifying client certificates.',
    caPoolSources,
    'provider',
  ),
  trusted_ca_certs: strings(
    'Trusted certificate authorities, as base64-encoded DER. Superseded by `ca`, which supports more sources.',
  ),
  trusted_ca_certs_pem_files: strings(
    'PEM files containing trusted certificate authorities. Superseded by `ca`, which supports more sources.',
  ),
  trusted_leaf_certs: strings(
    'Accepted client certificates, as base64-encoded DER. All others are rejected. Also set either `mode` or the certificate authorities that issued these certificates.',
  ),
  verifiers: inlineModules('Additional verifiers for client certificates.', clientVerifiers, 'verifier'),
  mode: choice(
    'Client authentication mode. Default: `require_and_verify` if certificate authorities or `trusted_leaf_certs` are set, otherwise `require`.',
    ['request', 'require', 'verify_if_given', 'require_and_verify', ''],
  ),
});

export type ClientAuthConfig = Options<typeof clientAuthOptions>;
