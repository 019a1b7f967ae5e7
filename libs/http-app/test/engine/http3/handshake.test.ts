import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { HandlerServer } from '../harness.ts';
import { SimulatedServer } from './simulated-server.ts';

describe('HTTP/3 connections with an incomplete handshake', () => {
  function begin(readHeaderTimeout: number): SimulatedServer {
    const server = new SimulatedServer(new HandlerServer(() => undefined, { readHeaderTimeout }));
    const { host, simulation } = server;
    let sent = 0;
    simulation.link.filter = (_datagram, from) => from === 'server' || sent++ === 0;
    simulation.connect();
    simulation.clock.run(() => host.size > 0, 1000);
    expect(host.size).to.equal(1);
    return server;
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
