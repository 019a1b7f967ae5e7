/** `layer4.matchers.tls`: matches TLS connections by their ClientHello. */
import { layer4Matchers, type Layer4Matcher } from '@sluice/layer4-app';
import { defineModule } from '@sluice/registry';
import { parseHello } from '@sluice/tls-app';
import { handshakeOptions, loadHandshakeMatchers, matchHello } from '../common/handshake.ts';

export const tlsModule = defineModule(layer4Matchers, {
  name: 'tls',
  effect: 'pure',
  help: 'Matches TLS connections by their handshake, with handshake matchers such as `sni` and `alpn`. All handshake matchers must match.',
  config: handshakeOptions,
  async provision(config, context): Promise<Layer4Matcher> {
    const matchers = await loadHandshakeMatchers(config, context);
    return {
      match(connection, bytes, end) {
        const hello = parseHello(bytes, end);
        if (typeof hello === 'string') return hello === 'incomplete' ? null : false;
        return matchHello(matchers, hello, connection, 'tls');
      },
    };
  },
});
