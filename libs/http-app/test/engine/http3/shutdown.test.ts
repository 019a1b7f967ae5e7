import { expect } from 'chai';
import { Collector } from '@sluice/testing/quic';
import { HandlerServer } from '../harness.ts';
import { SimulatedServer } from './simulated-server.ts';

/** HEADERS frame of `GET https://a/` (RFC 9204 Appendix A). */
const request = Buffer.from('01080000d1d7c1500161', 'hex');

describe('shutdown of HTTP/3 connections', () => {
  /** Starts a shutdown while a response has ended but was not acknowledged. Returns the number of connections after `ms` milliseconds. */
  function connectionsAfter(ms: number, clientLost: boolean): number {
    const server = new SimulatedServer(new HandlerServer((exchange) => exchange.writer.end('response')));
    const { host, simulation } = server;
    const { clock } = simulation;
    const client = simulation.connect();
    clock.run(() => client.confirmed);
    const stream = client.openStream(true)!;
    const response = new Collector(stream);
    stream.write(request);
    stream.end();
    let responded = false;
    simulation.link.filter = (_datagram, from) => {
      responded ||= from === 'server';
      return !responded || !clientLost;
    };
    clock.run(() => responded);
    host.finish();
    clock.run(() => false, ms);
    server.accepted[0]!.expire(performance.now() + ms);
    expect(response.ended).to.equal(!clientLost);
    const { size } = host;
    simulation.close();
    return size;
  }

  // Found by measuring: the server waited up to two minutes for clients that had exited without closing their connections.
  it('a client that does not acknowledge its response delays the shutdown for at most 5 s', () => {
    expect(connectionsAfter(4000, true)).to.equal(1);
    expect(connectionsAfter(6000, true)).to.equal(0);
  });

  it('a connection closes as soon as its last response was acknowledged', () => {
    expect(connectionsAfter(100, false)).to.equal(0);
  });
});
