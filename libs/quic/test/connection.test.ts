import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { ecn, type Connection } from '@sluice/quic';
import { Collector, serverAddress, Simulation } from '@sluice/testing/quic';

/** Opens a stream, sends bytes from the client, and waits until the server has received them. */
function send(simulation: Simulation, client: Connection, size: number): void {
  const peer = simulation.atServer.find(({ complete }) => complete)!;
  let collector: Collector | null = null as Collector | null;
  peer.onNewStream = (stream) => {
    collector = new Collector(stream);
    collector.onFinished = () => stream.end();
  };
  const stream = client.openStream(true)!;
  const own = new Collector(stream);
  stream.write(randomBytes(size));
  stream.end();
  simulation.clock.run(() => own.closed, 10_000);
  expect(collector!.received).to.equal(size);
}

describe('QUIC connection', () => {
  it('Endpoint responds to an unknown version with its supported versions', () => {
    const simulation = new Simulation();
    const sent: Buffer[] = [];
    simulation.link.filter = (datagram, from) => {
      if (from === 'server') sent.push(datagram);
      return true;
    };
    const probe = Buffer.alloc(1200);
    probe[0] = 0xc0;
    probe.writeUInt32BE(0x1a2a3a4a, 1);
    probe[5] = 8;
    probe[14] = 4;
    probe.write('abcd', 15);
    simulation.server.receive(probe, 0, 1200, {
      address: simulation.clientAddress,
      codepoint: ecn.notEct,
      now: simulation.clock.now(),
    });
    const [reply] = sent;
    expect(reply?.readUInt32BE(1)).to.equal(0);
    expect(reply?.toString('latin1', 6, 10)).to.equal('abcd');
    expect(reply?.readUInt32BE(10 + 1 + 8)).to.equal(1);
    // Shorter datagrams are ignored, because they could be used for amplification.
    sent.length = 0;
    simulation.server.receive(probe, 0, 1199, {
      address: simulation.clientAddress,
      codepoint: ecn.notEct,
      now: simulation.clock.now(),
    });
    expect(sent).to.deep.equal([]);
    simulation.close();
  });

  // Attack in docs/security.md: Initial packets with random contents.
  it('the QUIC server keeps no state for an Initial packet that fails authentication', () => {
    const simulation = new Simulation();
    const initial = randomBytes(1200);
    initial.set([0xc3, 0, 0, 0, 1, 8]);
    initial.set([8], 14);
    initial.set([0, 0x44, 0x96], 23);
    const before = simulation.atServer.length;
    simulation.server.receive(initial, 0, 1200, {
      address: simulation.clientAddress,
      codepoint: ecn.notEct,
      now: simulation.clock.now(),
    });
    expect(simulation.atServer.length).to.equal(before + 1);
    expect(simulation.server.size).to.equal(0);
    expect(simulation.atServer[0]?.closed).to.include({ reason: 'dropped' });
    simulation.close();
  });

  it('the QUIC server forwards packets to the threads that own their connection IDs, and accepts clients with random IDs', () => {
    const forwarded: number[] = [];
    const route = { thread: 1, tag: 0 };
    const simulation = new Simulation(
      {},
      {
        server: {
          route,
          forward: ({ thread }) => {
            forwarded.push(thread);
            return true;
          },
        },
      },
    );
    const { server } = simulation.established();
    const id = server.localIds.get(0)!.id;
    expect([id[0], id[1]]).to.deep.equal([1, 0]);
    const receive = (packet: Buffer): void =>
      simulation.server.receive(packet, 0, packet.length, {
        address: simulation.clientAddress,
        codepoint: ecn.notEct,
        now: simulation.clock.now(),
      });
    // Tests client connection IDs for all thread numbers. The IDs have the same length and tag as the server's connection IDs. One client
    // in 256 has such an ID.
    for (let thread = 0; thread < 256; thread++) {
      const initial = Buffer.alloc(1200);
      initial[0] = 0xc0;
      initial.writeUInt32BE(1, 1);
      initial[5] = id.length;
      initial.fill(thread, 6, 7);
      initial.fill(9, 8, 6 + id.length);
      receive(initial);
    }
    expect(forwarded.length).to.be.at.most(1);
    // A connection ID of another thread differs from this thread's IDs in its first and last byte.
    const other = Buffer.concat([Buffer.of(0x40), id, Buffer.alloc(40)]);
    other[1] = 2;
    other[id.length] = other[id.length]! ^ 1 ^ 2;
    forwarded.length = 0;
    receive(other);
    expect(forwarded).to.deep.equal([2]);
    simulation.close();
  });

  // Attack in docs/security.md: Forged source addresses (amplification).
  it('the QUIC server sends at most three times the received bytes to an unvalidated address', () => {
    const simulation = new Simulation({}, { certificate: 20_000 });
    // Only the first datagram from the client is delivered.
    let heard = 0;
    simulation.link.filter = (_datagram, from) => from === 'server' || heard++ === 0;
    simulation.connect();
    simulation.clock.run(() => false, 20_000);
    expect(simulation.sentByServer)
      .to.be.above(1200)
      .and.at.most(3 * 1200);
    simulation.close();
  });

  // Attack in docs/security.md: Floods of half-open handshakes.
  it('Endpoint requires address validation when many handshakes are in progress', () => {
    const simulation = new Simulation({}, { server: { retryAbove: 0 } });
    let retries = 0;
    simulation.link.filter = (datagram, from) => {
      if (from === 'server' && (datagram[0]! & 0xf0) === 0xf0) retries += 1;
      return true;
    };
    const { client } = simulation.established();
    expect(retries).to.equal(1);
    send(simulation, client, 1000);
    simulation.close();
  });

  it('Connection closes after the idle timeout', () => {
    const simulation = new Simulation();
    simulation.established();
    const start = simulation.clock.now();
    simulation.clock.run(() => simulation.atClient.closed !== null, 100_000);
    expect(simulation.atClient.closed?.by).to.equal('timeout');
    expect(simulation.clock.now() - start).to.be.within(29_000, 31_000);
    simulation.close();
  });

  it('Connection reports the reason for closing to the peer', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    client.close(77, 'enough');
    const [peer] = simulation.atServer;
    simulation.clock.run(() => peer?.closed != null, 1000);
    expect(peer?.closed).to.deep.equal({ code: 77, reason: 'enough', application: true, by: 'peer' });
    simulation.clock.run(() => simulation.server.size + simulation.client.size === 0, 5000);
    expect(simulation.server.size + simulation.client.size).to.equal(0);
    simulation.close();
  });

  it('Connection continues after a key update by either side', () => {
    const simulation = new Simulation({ jitter: 3, loss: 0.02 });
    const { client, server } = simulation.established();
    for (let i = 0; i < 6; i++) {
      send(simulation, client, 20_000);
      expect((i % 2 === 0 ? client : server).updateKeys(), `update ${i}`).to.equal(true);
    }
    send(simulation, client, 20_000);
    // The last acknowledgments must also use the new keys.
    simulation.clock.run(() => false, 500);
    expect(client.keys?.sealPhase).to.equal(server.keys?.openPhase);
    simulation.close();
  });

  it('Connection survives a client port change and validates the new path', () => {
    const simulation = new Simulation();
    const { client, server } = simulation.established();
    send(simulation, client, 1000);
    simulation.clientAddress = { host: '10.0.0.2', port: 50_001, key: '10.0.0.2:50001' };
    send(simulation, client, 100_000);
    simulation.clock.run(() => server.path.validated, 1000);
    expect([server.path.address.port, server.path.validated]).to.deep.equal([50_001, true]);
    simulation.close();
  });

  it('Connection survives a new client address and uses a new connection ID for this address', () => {
    const simulation = new Simulation();
    const { client, server } = simulation.established();
    send(simulation, client, 1000);
    const before = server.peerIds.id;
    simulation.clientAddress = { host: '10.9.9.9', port: 50_000, key: '10.9.9.9:50000' };
    send(simulation, client, 100_000);
    simulation.clock.run(() => server.path.validated, 1000);
    expect(server.path.address.host).to.equal('10.9.9.9');
    expect(server.peerIds.id.equals(before)).to.equal(false);
    simulation.close();
  });

  // Attack in docs/security.md: A new network path that fails validation.
  it('Connection returns to the previous path if the new address is not validated', () => {
    const simulation = new Simulation();
    const { client, server } = simulation.established();
    const former = simulation.clientAddress;
    // An attacker sends one of the client's packets from another address.
    simulation.clientAddress = { host: '10.6.6.6', port: 1, key: '10.6.6.6:1' };
    const stream = client.openStream(true)!;
    stream.write(Buffer.alloc(10));
    client.flush(simulation.clock.now());
    simulation.client.flush();
    simulation.clientAddress = former;
    let toAttacker = 0;
    simulation.link.filter = (_datagram, from) => {
      if (from === 'server' && server.path.address.host === '10.6.6.6') {
        toAttacker += 1;
        return false;
      }
      return true;
    };
    simulation.clock.run(() => server.path.address.host === '10.6.6.6', 1000);
    expect(server.path.address.host).to.equal('10.6.6.6');
    simulation.clock.run(() => server.path.address === former || server.path.address.key === former.key, 20_000);
    expect(server.path.address.key).to.equal(former.key);
    expect(toAttacker).to.be.at.most(10);
    simulation.close();
  });

  it('Connection completes handshakes quickly despite 20 % packet loss, because the server retransmits its data when it receives a retransmission', () => {
    const times = Array.from({ length: 300 }, (_, seed) => {
      const simulation = new Simulation({ delay: 20, loss: 0.2 }, { seed: seed + 1, certificate: 2500 });
      const start = simulation.clock.now();
      const client = simulation.connect();
      simulation.clock.run(() => client.complete, 20_000);
      simulation.close();
      return simulation.clock.now() - start;
    });
    expect(times.toSorted((a, b) => a - b)[270]).to.be.below(1700);
  });

  it('Connection.ping keeps an idle connection open', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    for (let i = 0; i < 5; i++) {
      simulation.clock.run(() => false, 20_000);
      client.ping();
    }
    expect([client.isOpen, client.unanswered]).to.deep.equal([true, 0]);
    simulation.clock.run(() => false, 31_000);
    expect(client.isOpen).to.equal(false);
    simulation.close();
  });

  it('Connection.unanswered counts timeouts while the peer is unreachable', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    simulation.link.loss = 1;
    client.ping();
    simulation.clock.run(() => false, 2000);
    expect(client.unanswered).to.be.at.least(3);
    simulation.close();
  });

  it('Connection notifies its owner when the peer allows more streams', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    for (let i = 0; i < 100; i++) send(simulation, client, 1);
    expect(simulation.atClient.limits).to.be.above(0);
    expect(client.openStream(true)).to.not.equal(null);
    simulation.close();
  });

  it('Connection probes larger datagrams and stops at sizes that are lost', () => {
    for (const [mtu, expected] of [
      [1500, 1452],
      [1380, 1350],
      [1200, 1200],
    ] as const) {
      const simulation = new Simulation({ mtu });
      const { client } = simulation.established();
      send(simulation, client, 200_000);
      simulation.clock.run(() => false, 3000);
      expect(client.path.datagram, String(mtu)).to.equal(expected);
      send(simulation, client, 50_000);
      simulation.close();
    }
  });

  it('Connection accepts a reset by a peer that has lost its state', () => {
    const simulation = new Simulation();
    const { client, server } = simulation.established();
    send(simulation, client, 100);
    simulation.clock.run(() => false, 500);
    server.drop();
    client.openStream(true)!.write(Buffer.alloc(200));
    simulation.clock.run(() => simulation.atClient.closed !== null, 5000);
    expect(simulation.atClient.closed?.by).to.equal('reset');
    simulation.close();
  });

  it('Connection respects the stream limit of the peer and opens more streams after streams end', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    const streams = [];
    for (let stream = client.openStream(true); stream !== null; stream = client.openStream(true)) streams.push(stream);
    expect(streams).to.have.lengthOf(100);
    const [peer] = simulation.atServer;
    peer!.onNewStream = (stream) => {
      stream.user = new Collector(stream);
      stream.end();
    };
    for (const stream of streams) {
      stream.user = new Collector(stream);
      stream.end();
    }
    simulation.clock.run(() => client.openStream(true) !== null, 5000);
    expect(client.openStream(true)).to.not.equal(null);
    simulation.close();
  });

  it('Connection resets a stream on STOP_SENDING', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    const [peer] = simulation.atServer;
    peer!.onNewStream = (stream) => {
      stream.user = new Collector(stream);
      stream.stopSending(9);
      stream.end();
    };
    const stream = client.openStream(true)!;
    const collector = new Collector(stream);
    stream.write(Buffer.alloc(5_000_000));
    simulation.clock.run(() => collector.closed, 20_000);
    expect([collector.stopCode, collector.closed]).to.deep.equal([9, true]);
    simulation.close();
  });

  // Attack in docs/security.md: Forged or damaged packets.
  it('Connection ignores forged and damaged packets', () => {
    const simulation = new Simulation();
    const { client } = simulation.established();
    simulation.link.filter = (datagram, from) => {
      if (from === 'client') {
        const forged = Buffer.from(datagram);
        forged[forged.length - 20]! ^= 0xff;
        simulation.server.receive(forged, 0, forged.length, {
          address: simulation.clientAddress,
          codepoint: ecn.notEct,
          now: simulation.clock.now(),
        });
      }
      return true;
    };
    send(simulation, client, 50_000);
    expect(simulation.atServer.map(({ closed }) => closed)).to.deep.equal([null]);
    simulation.close();
  });

  it('Connection releases its resources when it closes', () => {
    const simulation = new Simulation();
    for (let i = 0; i < 20; i++) {
      const connection = simulation.connect();
      simulation.clock.run(() => connection.confirmed, 1000);
      connection.close(0);
      simulation.clock.run(() => simulation.client.size === 0, 5000);
    }
    simulation.clock.run(() => simulation.server.size === 0, 5000);
    expect(simulation.server.size).to.equal(0);
    expect(serverAddress.port).to.equal(443);
    simulation.close();
  });
});
