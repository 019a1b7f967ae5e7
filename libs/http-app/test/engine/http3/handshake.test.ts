import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { FakeTls, Simulation } from '@sluice/testing/quic';
import { Http3Connection } from '../../../src/engine/http3/connection.ts';
import { EngineHost } from '../../../src/engine/engine-host.ts';
import { HandlerServer } from '../harness.ts';

describe('HTTP/3 connections with an incomplete handshake', () => {
  function begin(readHeaderTimeout: number): { readonly host: EngineHost; readonly simulation: Simulation } {
    const server = new HandlerServer(() => undefined, { readHeaderTimeout });
    const host = new EngineHost(server);
    const facts = {
      remoteAddress: '10.0.0.2',
      remotePort: 1,
      localAddress: '10.0.0.1',
      localPort: 443,
      unix: false,
      tls: null,
      notes: { opening: null, point: null },
    };
    const simulation: Simulation = new Simulation(
      {},
      {
        server: {
          acceptor: {
            accept: () => {
              const connection = new Http3Connection(host, facts);
              return {
                user: connection.user,
                begun: (quic) => {
                  connection.quic = quic;
                },
                tls: (parameters) => new FakeTls(true, parameters),
              };
            },
          },
        },
      },
    );
    let sent = 0;
    simulation.link.filter = (_datagram, from) => from === 'server' || sent++ === 0;
    simulation.connect();
    simulation.clock.run(() => host.size > 0, 1000);
    expect(host.size).to.equal(1);
    return { host, simulation };
  }

  // Attack in docs/security.md: Handshakes that never complete.
  it('an HTTP/3 connection closes if its handshake takes longer than read_header_timeout', async () => {
    const { host, simulation } = begin(30);
    await sleep(80);
    expect(host.size).to.equal(0);
    simulation.close();
  });

  // Attack in docs/security.md: Handshakes that never complete.
  it('an HTTP/3 connection closes at shutdown without waiting for its handshake', () => {
    const { host, simulation } = begin(0);
    host.retire();
    host.finish();
    expect(host.size).to.equal(0);
    simulation.close();
  });
});
