/** Options of a connection policy: what servers have for the app `tls`. */
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

/** Options of a selection; all that are there must hold. */
const selectionOptions = options({
  serial_number: list('Serial numbers, in decimal; any of them.', anything()),
  subject_organization: strings('Organizations of the subject; any of them.'),
  public_key_algorithm: choice('Kind of the key.', ['rsa', 'dsa', 'ecdsa', 'ed25519', '']),
  any_tag: strings('Tags of which the certificate must have one.'),
  all_tags: strings('Tags of which the certificate must have all.'),
});

/** How to speak TLS with some clients. */
export const policyOptions = options({
  match: moduleMap('Which handshakes the policy is for; all must match. None: all handshakes.', handshakeMatchers),
  certificate_selection: structure('Which of several certificates is taken.', selectionOptions),
  cipher_suites: strings('Cipher suites of TLS 1.2 by their IANA names. Default: those with forward secrecy and AEAD.'),
  curves: strings('Curves, the preferred first. Default x25519mlkem768, x25519, secp256r1, secp384r1.'),
  alpn: strings('Protocols offered by ALPN. Default: those of the server.'),
  protocol_min: choice('Least version. Default tls1.2.', protocols),
  protocol_max: choice('Greatest version. Default tls1.3.', protocols),
  drop: boolean('Close such connections.'),
  client_authentication: structure('What is asked of clients.', clientAuthOptions),
  default_sni: string('The name that is taken of a client that sends none.'),
  fallback_sni: string('The name whose certificate is taken where there is none for the name that the client sends.'),
  insecure_secrets_log: string('File for the secrets of connections, which can then be read by others. For debugging.'),
  handshake_context: inlineModule(
    'Accepted, no effect: there is nothing to add to. What is added to handshakes.',
    handshakeContexts,
    'module',
  ),
});

/** A connection policy as a configuration has it. */
export type PolicyConfig = Options<typeof policyOptions>;

/** What a configuration says of which certificate is taken. */
export type SelectionConfig = Options<typeof selectionOptions>;
