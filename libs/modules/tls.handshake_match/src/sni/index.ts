/** `tls.handshake_match.sni`: matches the server name that the client requests (SNI). */
import { defineModule, listOptions, text } from '@sluice/registry';
import { handshakeMatchers, type HandshakeMatcher } from '@sluice/contracts';
import { expandGlobal, matchesName, normalName } from '@sluice/tls-app';

export const sniModule = defineModule(handshakeMatchers, {
  name: 'sni',
  help: 'Matches TLS handshakes by the server name that the client sends (SNI). An empty list never matches.',
  config: listOptions('Server names to match. `*` matches exactly one label.', text(), {
    examples: [['example.com', '*.example.com']],
  }),
  provision: (config) => sniMatcher(config.map((name) => normalName(expandGlobal(name)))),
});

function sniMatcher(names: readonly string[]): HandshakeMatcher {
  const exact = new Set(names);
  const patterns = names.filter((name) => name.includes('*'));
  return {
    match: ({ serverName }) => exact.has(serverName) || patterns.some((pattern) => matchesName(pattern, serverName)),
  };
}
