import { expect } from 'chai';
import { nativeCiphers, QuicTls, TlsContext, type TlsContextOptions } from '@sluice/native';
import { throwAwayCertificate, type ThrowAwayCertificate } from '@sluice/testing';
import { Collector, Simulation } from '@sluice/testing/quic';

describe('QuicTls', () => {
  let pair: ThrowAwayCertificate;
  const contexts: TlsContext[] = [];
  before(async () => {
    pair = await throwAwayCertificate(['localhost']);
  });
  afterEach(() => {
    for (const context of contexts.splice(0)) context.free();
  });

  function contextOf(options: Partial<TlsContextOptions>): TlsContext {
    const context = new TlsContext({
      isServer: true,
      certificate: null,
      key: null,
      protocols: ['h3'],
      authorities: [],
      verification: 'none',
      ticketKeys: null,
      ...options,
    });
    contexts.push(context);
    return context;
  }

  function simulationOf(
    client: Partial<TlsContextOptions>,
    serverName = 'localhost',
    server: Partial<TlsContextOptions> = {},
  ): Simulation {
    const atServer = contextOf({ certificate: pair.cert, key: pair.key, ...server });
    const atClient = contextOf({ isServer: false, ...client });
    return new Simulation(
      {},
      {
        server: { ciphers: nativeCiphers },
        tls: {
          server: (parameters) => new QuicTls({ context: atServer, parameters }),
          client: (parameters) => new QuicTls({ context: atClient, parameters, serverName }),
        },
      },
    );
  }

  for (const ciphersuites of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']) {
    it(`QuicTls completes a handshake and transfers a stream with ${ciphersuites}`, () => {
      const simulation = simulationOf({ authorities: [pair.cert], verification: 'require', ciphersuites });
      const { client } = simulation.established();
      const [peer] = simulation.atServer;
      peer!.onNewStream = (stream) => {
        new Collector(stream).onFinished = (data) => {
          stream.write(data);
          stream.end();
        };
      };
      const stream = client.openStream(true)!;
      const back = new Collector(stream);
      stream.write(Buffer.alloc(100_000, 'x'));
      stream.end();
      simulation.clock.run(() => back.closed, 5000);
      expect(back.data.equals(Buffer.alloc(100_000, 'x'))).to.equal(true);
      simulation.close();
    });
  }

  const refused: Record<string, readonly [Partial<TlsContextOptions>, string, number]> = {
    'a certificate from an unknown CA': [{ verification: 'require' }, 'localhost', 48],
    'a certificate for another name': [{ verification: 'require' }, 'other.example', 42],
    'a server without a common ALPN protocol': [{ protocols: ['hq-interop'] }, 'localhost', 120],
  };
  for (const [name, [options, serverName, alert]] of Object.entries(refused)) {
    it(`QuicTls ends the handshake with the TLS alert for ${name}`, () => {
      const authorities = name.includes('another name') ? { authorities: [pair.cert] } : {};
      const simulation = simulationOf({ ...options, ...authorities }, serverName);
      simulation.connect();
      simulation.clock.run(() => simulation.atClient.closed !== null, 5000);
      expect(simulation.atClient.closed?.code).to.equal(0x100 + alert);
      expect(simulation.atClient.faults).to.deep.equal([]);
      simulation.close();
    });
  }

  it('TlsContext rejects text that is not a certificate, and states the reason', () => {
    expect(() => contextOf({ certificate: 'nothing', key: pair.key })).to.throw('does not contain a certificate');
    expect(() => contextOf({ certificate: pair.cert, key: 'nothing' })).to.throw('private key');
    expect(() => contextOf({ ciphersuites: 'TLS_NONE' })).to.throw('TLS_NONE');
  });

  it('QuicTls sessions continue after their context is freed', () => {
    const simulation = simulationOf({ authorities: [pair.cert], verification: 'require' });
    const client = simulation.connect();
    simulation.clock.run(() => simulation.atServer.length > 0, 1000);
    for (const context of contexts) context.free();
    simulation.clock.run(() => client.confirmed, 5000);
    expect(client.confirmed).to.equal(true);
    simulation.close();
  });

  it('QuicTls survives corrupted handshake bytes', () => {
    for (let i = 0; i < 200; i++) {
      const context = contextOf({ certificate: pair.cert, key: pair.key });
      const session = new QuicTls({ context, parameters: Buffer.from('0f00', 'hex') });
      const events: string[] = [];
      session.start({
        onCryptoData: () => events.push('data'),
        onSecret: () => events.push('secret'),
        onTransportParameters: () => events.push('parameters'),
        onAlert: () => events.push('alert'),
        onComplete: () => events.push('complete'),
      });
      const hello = Buffer.alloc(60, i);
      hello.writeUInt32BE(0x01000038, 0);
      hello[4 + (i % 50)]! ^= 0x5a;
      session.receive(0, hello);
      expect(events).to.not.include('complete');
      session.free();
      session.free();
      session.receive(0, hello);
      context.free();
    }
  });
});
