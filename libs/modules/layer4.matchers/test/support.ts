/** Creates connections without a socket, for tests of matchers. */
import { Duplex } from 'node:stream';
import { silentLogger, type Json } from '@sluice/base';
import type { SocketFacts } from '@sluice/http-app';
import { Layer4Connection, layer4Matchers, type Layer4Matcher, type TransportName } from '@sluice/layer4-app';
import { provisionNamed, type Provisioned } from '@sluice/testing';
import { register as registerHttpMatchers } from '@sluice/http.matchers';
import { register as registerHandshakeMatchers } from '@sluice/tls.handshake_match';
import { register } from '../src/index.ts';

/** Returns a connection from 192.0.2.7 to 198.51.100.1. */
export function sampleConnection(facts: Partial<SocketFacts> = {}, transport: TransportName = 'tcp'): Layer4Connection {
  return new Layer4Connection({
    socket: new Duplex({ read: () => undefined, write: (_, __, done) => done() }),
    facts: {
      remoteAddress: '192.0.2.7',
      remotePort: 5000,
      localAddress: '198.51.100.1',
      localPort: 443,
      unix: false,
      tls: null,
      notes: { opening: null, point: null },
      ...facts,
    },
    transport,
    log: silentLogger,
    epoch: null,
    table: null,
  });
}

export function matcherOf(name: string, config: Json): Promise<Provisioned<Layer4Matcher>> {
  return provisionNamed(layer4Matchers, name, config, {
    register: [register, registerHttpMatchers, registerHandshakeMatchers],
  });
}
