/** `layer4.matchers.quic`: matches QUIC connections by the ClientHello in their first packets. */
import { layer4Matchers, type Layer4Matcher } from '@sluice/layer4-app';
import { readFirstFlight, version2 } from '@sluice/quic';
import { defineModule } from '@sluice/registry';
import { parseHelloMessage } from '@sluice/tls-app';
import { handshakeOptions, loadHandshakeMatchers, matchHello } from '../common/handshake.ts';

/** Header bits of QUIC packets that open a connection. These packets have a long header (RFC 9000 §17.2). */
const longHeader = 0xc0;

export const quicModule = defineModule(layer4Matchers, {
  name: 'quic',
  effect: 'pure',
  help: 'Matches QUIC connections (UDP) by their TLS handshake, with handshake matchers such as `sni` and `alpn`. All handshake matchers must match.',
  config: handshakeOptions,
  async provision(config, context): Promise<Layer4Matcher> {
    const matchers = await loadHandshakeMatchers(config, context);
    return {
      match(connection, bytes, end) {
        if (connection.transport !== 'udp') return false;
        if (end === 0) return null;
        if (((bytes[0] as number) & longHeader) !== longHeader) return false;
        const flight = readFirstFlight(bytes, end);
        if (flight === null) return false;
        const hello = parseHelloMessage(flight.crypto);
        if (typeof hello === 'string') return hello === 'incomplete' ? null : false;
        connection.setValue('quic.version', flight.version === version2 ? 'v2' : 'v1');
        return matchHello(matchers, hello, connection, 'quic.tls');
      },
    };
  },
});
