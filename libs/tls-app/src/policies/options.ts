/** Options of a connection policy. */
import {
  boolean,
  choice,
  defineModule,
  inlineModule,
  moduleMap,
  namespace,
  options,
  string,
  strings,
  structure,
  type ModuleDescriptor,
} from '@sluice/registry';
import { selectionOptions } from '../certificates/selection.ts';
import { clientAuthOptions } from '../client-auth/options.ts';
import { handshakeMatchers } from '../contracts/handshake-matcher.ts';

const handshakeContexts = namespace<object>('tls.context');
const protocols = ['tls1.2', 'tls1.3', ''] as const;

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

/** The options in the form that checks take. */
export const policySchema: ModuleDescriptor<null> = defineModule(namespace<null>('tls'), {
  name: 'connection_policy',
  help: 'How to speak TLS with some clients.',
  config: policyOptions,
  provision: () => null,
});
