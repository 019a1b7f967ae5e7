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
  serial_number: list('Serial numbers in decimal; any of them matches.', anything()),
  subject_organization: strings('Subject organizations; any of them matches.'),
  public_key_algorithm: choice('Public key algorithm.', ['rsa', 'dsa', 'ecdsa', 'ed25519', '']),
  any_tag: strings('Tags; the certificate must have at least one of them.'),
  all_tags: strings('Tags; the certificate must have all of them.'),
});

export const policyOptions = options({
  match: moduleMap(
    'Matchers for the handshakes that the policy applies to; all of them must match. Default: all handshakes.',
    handshakeMatchers,
  ),
  certificate_selection: structure('Selects one of several matching certificates.', selectionOptions),
  cipher_suites: strings('TLS 1.2 cipher suites by IANA name. Default: suites with forward secrecy and AEAD.'),
  curves: strings(
    'Key exchange curves, in order of preference. Default: x25519mlkem768, x25519, secp256r1, secp384r1.',
  ),
  alpn: strings("Protocols to offer with ALPN. Default: the server's protocols."),
  protocol_min: choice('Minimum TLS version. Default: tls1.2.', protocols),
  protocol_max: choice('Maximum TLS version. Default: tls1.3.', protocols),
  drop: boolean('Close matching connections.'),
  client_authentication: structure('Client authentication.', clientAuthOptions),
  default_sni: string('Server name to assume when the client sends no SNI.'),
  fallback_sni: string("Server name whose certificate is used if there is none for the client's SNI."),
  insecure_secrets_log: string(
    'File for TLS session secrets, which allow decrypting recorded connections. For debugging.',
  ),
  handshake_context: inlineModule('Accepted but ignored. Values to add to handshakes.', handshakeContexts, 'module'),
});

export type PolicyConfig = Options<typeof policyOptions>;

export type SelectionConfig = Options<typeof selectionOptions>;
