/** An HTTP/3 server of this package in a simulated network. */
import { FakeTls, Simulation } from '@sluice/testing/quic';
import { EngineHost } from '../../../src/engine/engine-host.ts';
import { Http3Connection } from '../../../src/engine/http3/connection.ts';
import type { HandlerServer } from '../harness.ts';

const facts = {
  remoteAddress: '10.0.0.2',
  remotePort: 1,
  localAddress: '10.0.0.1',
  localPort: 443,
  unix: false,
  tls: null,
  notes: { opening: null, point: null },
};

export class SimulatedServer {
  readonly host: EngineHost;
  readonly simulation: Simulation;
  /** Connections that the server has accepted. */
  readonly accepted: Http3Connection[] = [];

  constructor(server: HandlerServer) {
    this.host = new EngineHost(server);
    this.simulation = new Simulation({}, { server: { acceptor: { accept: () => this.#accept() } } });
  }

  #accept() {
    const connection = new Http3Connection(this.host, facts);
    this.accepted.push(connection);
    return {
      user: connection.user,
      begun: (quic: NonNullable<Http3Connection['quic']>) => {
        connection.quic = quic;
      },
      tls: (parameters: Buffer) => new FakeTls(true, parameters),
    };
  }
}
