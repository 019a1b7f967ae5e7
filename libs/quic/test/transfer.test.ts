import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Collector, Simulation, type NetworkLink } from '@sluice/testing/quic';

/** Sends `size` bytes in each direction on one stream. Returns the simulated duration in milliseconds. */
function echo(simulation: Simulation, size: number): number {
  const { client } = simulation.established();
  const sent = randomBytes(size);
  const peer = simulation.atServer.find(({ complete }) => complete)!;
  peer.onNewStream = (stream) => {
    new Collector(stream).onFinished = (data) => {
      stream.write(data);
      stream.end();
    };
  };
  const stream = client.openStream(true)!;
  const back = new Collector(stream);
  const start = simulation.clock.now();
  stream.write(sent);
  stream.end();
  simulation.clock.run(() => back.closed || simulation.atClient.closed !== null, 600_000);
  expect(simulation.atClient.closed).to.equal(null);
  expect(back.ended).to.equal(true);
  expect(back.data.equals(sent)).to.equal(true);
  expect(simulation.atClient.faults.concat(peer.faults, back.faults)).to.deep.equal([]);
  const time = simulation.clock.now() - start;
  simulation.close();
  return time;
}

describe('QUIC transfers between two endpoints', () => {
  it('Endpoint completes a handshake with another endpoint', () => {
    const simulation = new Simulation();
    const { client, server } = simulation.established();
    expect(client.complete && server.complete && client.confirmed).to.equal(true);
    simulation.close();
    expect(simulation.server.size + simulation.client.size).to.equal(0);
  });

  it('Endpoint transfers a small stream in two round trips', () => {
    expect(echo(new Simulation(), 1000)).to.be.below(25);
  });

  it('Endpoint transfers a megabyte, which exceeds the flow-control windows', () => {
    expect(echo(new Simulation(), 3_000_000)).to.be.below(2000);
  });

  it('Endpoint transfers reordered packets as fast as packets in order', () => {
    const alone = echo(new Simulation({ delay: 30 }), 1_000_000);
    for (let seed = 1; seed <= 3; seed++)
      expect(echo(new Simulation({ delay: 20, jitter: 20 }, { seed }), 1_000_000)).to.be.below(2 * alone);
  });

  it('Endpoint increases the datagram size soon after the start of a transfer on a new connection', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    const stream = client.openStream(true)!;
    const own = new Collector(stream);
    simulation.atServer.find(({ complete }) => complete)!.onNewStream = (received) => {
      new Collector(received).onFinished = () => received.end();
    };
    stream.write(randomBytes(500_000));
    stream.end();
    simulation.clock.run(() => client.path.datagram > 1200 || own.closed);
    expect([client.path.datagram, own.closed]).to.deep.equal([1452, false]);
    simulation.close();
  });

  const links: Record<string, Partial<NetworkLink>> = {
    '1% packet loss': { loss: 0.01 },
    '5% packet loss': { loss: 0.05 },
    '20% packet loss': { loss: 0.2 },
    'packet reordering': { jitter: 20 },
    'packet duplication': { duplicate: 0.2 },
    'a delay of 300 ms': { delay: 150 },
    'a slow link': { rate: 125 },
    'all impairments combined': { loss: 0.05, jitter: 30, duplicate: 0.1, delay: 50, rate: 1000 },
  };
  for (const [name, link] of Object.entries(links)) {
    it(`Endpoint transfers all data with ${name}`, () => {
      for (let seed = 1; seed <= 5; seed++) echo(new Simulation(link, { seed }), 200_000);
    });
  }
});
