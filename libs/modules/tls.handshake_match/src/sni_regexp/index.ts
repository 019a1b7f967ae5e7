/** `tls.handshake_match.sni_regexp`: matches the requested server name (SNI) with a regular expression. */
import { compileRegExp, messageOf, type SafeRegExp } from '@sluice/base';
import { defineModule, options, string } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { expandGlobal } from '@sluice/tls-app';

export const sniRegexpModule = defineModule(handshakeMatchers, {
  name: 'sni_regexp',
  help: 'Matches TLS handshakes whose lowercased server name (SNI) matches a regular expression (RE2 syntax).',
  config: options({
    name: string('Name of the regular expression. Accepted but ignored: handshakes have no placeholders.'),
    pattern: string('Regular expression (RE2 syntax) that the server name must match.'),
  }),
  provision(config, context) {
    let expression: SafeRegExp;
    try {
      expression = compileRegExp(expandGlobal(config.pattern ?? ''));
    } catch (error) {
      throw context.error(messageOf(error), 'pattern');
    }
    return { match: ({ serverName }) => expression.test(serverName) };
  },
});
