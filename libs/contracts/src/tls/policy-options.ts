/** Options of TLS connection policies. */
import {
  anything,
  boolean,
  choice,
  inlineModule,
  list,
  moduleMap,
  namespace,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { clientAuthOptions } from './client-auth-options.ts';
import { handshakeMatchers } from './handshake-matcher.ts';

const handshakeContexts = namespace<object>('tls.context');
const protocols = ['tls1.2', 'tls1.3', ''] as const;

const selectionOptions = options({
  serial_number: list('Serial numbers in decimal. The certificate must have one of them.', anything()),
  subject_organization: strings('Subject organizations. The certificate must have at least one of them.'),
  public_key_algorithm: choice('Public key algorithm that the certificate must have.', [
    'rsa',
    'dsa',
    'ecdsa',
    'ed25519',
    '',
  ]),
  any_tag: strings('Tags. The certificate must have at least one of them.'),
  all_tags: strings('Tags. The certificate must have all of them.'),
});

export const policyOptions = options({
  match: moduleMap(
    'Handshake matchers. The policy applies if all of them match. Default: the policy applies to all handshakes.',
    handshakeMatchers,
  ),
  certificate_selection: structure(
    'Criteria for selecting a certificate if several match the server name.',
    selectionOptions,
  ),
  cipher_suites: strings('IANA names of TLS 1.2 cipher suites. Default: suites with forward secrecy and AEAD.'),
  curves: strings(
    'Key exchange groups, in order of preference. Default: x25519mlkem768, x25519, secp256r1, secp384r1.',
  ),
  alpn: strings("Application protocols to negotiate with ALPN. Default: the server's protocols."),
  protocol_min: choice('Minimum TLS version. Default: tls1.2.', protocols),
  protocol_max: choice('Maximum TLS version. Default: tls1.3.', protocols),
  drop: boolean('Close connections that match the policy.'),
  client_authentication: structure('Client certificate authentication.', clientAuthOptions),
  default_sni: string('Server name to assume when the client sends no SNI.'),
  fallback_sni: string("Server name whose certificate is used if no certificate matches the client's SNI."),
  insecure_secrets_log: string(
    'File to which TLS session secrets are written, in NSS key log format. Anyone with this file can decrypt recorded connections. Use only for debugging.',
  ),
  handshake_context: inlineModule(
    'Module that adds values to the handshake context. Accepted but ignored.',
    handshakeContexts,
    'module',
  ),
});

export type PolicyConfig = Options<typeof policyOptions>;

export type SelectionConfig = Options<typeof selectionOptions>;
