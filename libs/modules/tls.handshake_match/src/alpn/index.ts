/** `tls.handshake_match.alpn`: matches the application protocols that the client offers. */
import { defineModule, listOptions, text } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { expandGlobal } from '@sluice/tls-app';

export const alpnModule = defineModule(handshakeMatchers, {
  name: 'alpn',
  help: 'Matches TLS handshakes in which the client offers at least one of the given application protocols (ALPN).',
  config: listOptions('ALPN protocol names, such as `h2`.', text(), { examples: [['h2', 'http/1.1']] }),
  provision(config) {
    const wanted = new Set(config.map(expandGlobal));
    return { match: ({ protocols }) => protocols.some((protocol) => wanted.has(protocol)) };
  },
});
