import { expect } from 'chai';
import type { Connection, TlsSession } from '@sluice/quic';
import { Collector, FakeTls, Simulation } from '@sluice/testing/quic';
import { forgeEarlyData, frame, integer } from './forge.ts';

const stream = (id: number, text: string): Buffer => frame(0x0b, id, integer(text.length), text);

/** A client whose handshake remains incomplete for the server until the test calls {@link EarlyClient.finish}. */
class EarlyClient {
  readonly simulation: Simulation;
  readonly client: Connection;
  secret: Buffer = Buffer.alloc(0);
  #datagrams = 0;
  #finishing = false;
  received = '';
  readonly #response: Collector;

  constructor(accepted: boolean, respond = true) {
    this.simulation = new Simulation(
      {},
      {
        earlyData: accepted,
        tls: { client: (parameters) => this.#watched(new FakeTls(false, parameters)) },
      },
    );
    this.simulation.link.filter = (_datagram, from) => from === 'server' || this.#finishing || this.#datagrams++ === 0;
    this.client = this.simulation.connect();
    // Simulates a client that remembers the limit from an earlier connection.
    this.client.streams.maxBidi = 2;
    this.#response = new Collector(this.client.openStream(true)!);
    this.simulation.clock.run(() => this.simulation.atServer.length > 0, 1000);
    const [peer] = this.simulation.atServer;
    peer!.onNewStream = (each) => {
      const collector = new Collector(each);
      collector.onFinished = (data) => {
        this.received += data.toString();
        if (!respond) return;
        each.write(Buffer.from('response'));
        each.end();
      };
    };
  }

  #watched(tls: FakeTls): TlsSession {
    return {
      start: (events) =>
        tls.start({
          onCryptoData: (level, bytes) => {
            if (level === 0) this.secret = FakeTls.earlySecretOf(Buffer.from(bytes.subarray(5)));
            events.onCryptoData(level, bytes);
          },
          onSecret: (secret) => events.onSecret(secret),
          onTransportParameters: (bytes) => events.onTransportParameters(bytes),
          onAlert: (alert, reason) => events.onAlert(alert, reason),
          onComplete: () => events.onComplete(),
          later: (work) => events.later(work),
        }),
      receive: (level, bytes) => tls.receive(level, bytes),
      free: () => tls.free(),
    };
  }

  /** Sends frames as early data (0-RTT). */
  send(payload: Buffer): void {
    forgeEarlyData(this.simulation, this.client, this.secret, payload);
  }

  get server(): Connection | null {
    return this.simulation.atServer[0]?.connection ?? null;
  }

  finish(): void {
    this.#finishing = true;
    this.simulation.clock.run(() => this.client.confirmed, 10_000);
    this.simulation.clock.run(() => false, 20);
  }

  get response(): string {
    return this.#response.data.toString();
  }
}

describe('QUIC early data', () => {
  it('the QUIC server processes 0-RTT packets and responds before the handshake is complete', () => {
    const early = new EarlyClient(true);
    const before = early.simulation.sentByServer;
    early.send(stream(0, 'request'));
    expect(early.received).to.equal('request');
    expect(early.server?.complete).to.equal(false);
    early.simulation.clock.run(() => false, 1);
    expect(early.simulation.sentByServer).to.be.above(before);
    early.finish();
    expect(early.server?.complete).to.equal(true);
    expect(early.client.confirmed).to.equal(true);
    expect(early.response).to.equal('response');
    expect(early.simulation.atClient.closed).to.equal(null);
    early.simulation.close();
  });

  it('the QUIC server ignores 0-RTT packets if TLS rejects early data, and the handshake completes', () => {
    const early = new EarlyClient(false);
    for (let i = 0; i < 20; i++) early.send(stream(0, 'request'));
    expect(early.received).to.equal('');
    early.finish();
    expect(early.received).to.equal('');
    expect(early.server?.complete).to.equal(true);
    early.simulation.close();
  });

  it('the QUIC server ignores 0-RTT packets that arrive after the handshake', () => {
    const early = new EarlyClient(true);
    early.finish();
    early.send(stream(0, 'late'));
    expect(early.received).to.equal('');
    early.simulation.close();
  });

  // Attack in docs/security.md: Amplification through responses to early data.
  it('the QUIC server sends at most three times the received bytes in response to early data', () => {
    const early = new EarlyClient(true, false);
    const peer = early.simulation.atServer[0]!;
    peer.onNewStream = (each) => {
      each.user = new Collector(each);
      each.write(Buffer.alloc(100_000));
      each.end();
    };
    early.send(stream(0, 'request'));
    early.simulation.clock.run(() => false, 20_000);
    expect(early.simulation.sentByServer)
      .to.be.above(1200)
      .and.at.most(3 * (1200 + 100));
    early.simulation.close();
  });

  const forbidden: Record<string, Buffer> = {
    ACK: frame(0x02, 0, 0, 0, 0),
    CRYPTO: frame(0x06, 0, 1, 'x'),
    NEW_TOKEN: frame(0x07, 1, 'x'),
    PATH_RESPONSE: frame(0x1b, Buffer.alloc(8)),
    RETIRE_CONNECTION_ID: frame(0x19, 0),
    HANDSHAKE_DONE: frame(0x1e),
  };
  for (const [name, payload] of Object.entries(forbidden))
    it(`the QUIC server closes the connection for a ${name} frame in early data`, () => {
      const early = new EarlyClient(true);
      early.send(payload);
      const { closed } = early.simulation.atServer[0]!;
      expect(closed?.code).to.equal(0x0a);
      early.simulation.close();
    });
});
