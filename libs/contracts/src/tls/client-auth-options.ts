/** Options of client authentication. */
import { choice, inlineModule, inlineModules, options, strings, type Options } from '@sluice/registry';
import { caPoolSources } from './ca-pool.ts';
import { clientVerifiers } from './client-verifier.ts';

/** What a policy asks of clients. */
export const clientAuthOptions = options({
  ca: inlineModule('The certificate authorities that clients are verified with.', caPoolSources, 'provider'),
  trusted_ca_certs: strings('Certificate authorities as base64 of DER; `ca` has more to offer.'),
  trusted_ca_certs_pem_files: strings('Files of certificate authorities as PEM; `ca` has more to offer.'),
  trusted_leaf_certs: strings(
    'Certificates of clients as base64 of DER: no others are let in. They want a `mode`, or authorities that they come from.',
  ),
  verifiers: inlineModules('Who looks at certificates of clients beside.', clientVerifiers, 'verifier'),
  mode: choice('What is asked. Default: require_and_verify with authorities or trusted_leaf_certs, else require.', [
    'request',
    'require',
    'verify_if_given',
    'require_and_verify',
    '',
  ]),
});

/** What a configuration asks of clients. */
export type ClientAuthConfig = Options<typeof clientAuthOptions>;
