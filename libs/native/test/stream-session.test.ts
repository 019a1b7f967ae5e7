import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket, type ConnectionOptions } from 'node:tls';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  maxEncrypted,
  nativeProblem,
  plainBytes,
  StreamContext,
  StreamSession,
  textBytes,
  type StreamContextOptions,
} from '@sluice/native';
import { selfTestCertificate, selfTestKey } from '../src/self-test.ts';

const options: StreamContextOptions = {
  certificate: selfTestCertificate,
  key: selfTestKey,
  minVersion: 0x0303,
  maxVersion: 0x0304,
  ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305',
  ciphersuites: 'TLS_AES_128_GCM_SHA256',
  groups: 'X25519:prime256v1',
  options: 0,
  alpn: Buffer.from('\x02h2\x08http/1.1'),
  sessionId: 'test',
  sendsTickets: true,
  ticketKeys: null,
  verification: 'none',
  authorities: [],
};

/** The client end of an in-memory connection. */
class Wire extends Duplex {
  readonly sent: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent.push(chunk);
    done();
  }

  /** Returns and removes all data that the client has sent. */
  takeSent(): Buffer {
    return Buffer.concat(this.sent.splice(0));
  }
}

/** A `node:tls` client connected to the session under test. */
class Pair {
  readonly wire = new Wire();
  readonly session: StreamSession;
  readonly client: TLSSocket;
  readonly received: Buffer[] = [];
  isComplete = false;

  constructor(context: StreamContext, more: ConnectionOptions = {}) {
    this.session = new StreamSession(context, null);
    this.client = connect({ socket: this.wire, rejectUnauthorized: false, servername: 'self-test', ...more });
    this.client.on('error', () => undefined);
  }

  /** Passes bytes to the session in pieces of `size` bytes. */
  feed(bytes: Buffer, size = bytes.length): void {
    for (let at = 0; at < bytes.length && this.session.failure === null; at += size) {
      this.session.feed(bytes, at, Math.min(bytes.length, at + size));
      if (!this.isComplete) this.isComplete = this.session.handshake();
      if (this.isComplete) this.received.push(Buffer.from(plainBytes().subarray(0, this.session.read())));
      this.flush();
    }
  }

  flush(): void {
    const output = this.session.sendTo(-1);
    if (output !== null) this.wire.push(output);
  }

  /** Exchanges bytes between client and session until the handshake is complete. */
  async shakeHands(size?: number): Promise<void> {
    while (!this.isComplete && this.session.failure === null) {
      await new Promise((resolve) => setImmediate(resolve));
      this.feed(this.wire.takeSent(), size);
    }
    if (this.session.failure !== null) throw this.session.failure;
  }

  free(): void {
    this.session.free();
    this.client.destroy();
    this.wire.destroy();
  }
}

describe('StreamSession', function () {
  this.timeout(180_000);
  let context: StreamContext;
  before(function () {
    if (nativeProblem() !== null) this.skip();
    context = new StreamContext(options);
  });
  after(() => context?.free());

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    for (const size of [1, 7, 100_000])
      it(`StreamSession completes ${maxVersion} handshakes that arrive in pieces of ${size} bytes`, async () => {
        const pair = new Pair(context, { maxVersion, ALPNProtocols: ['x', 'http/1.1'] });
        await pair.shakeHands(size);
        expect(pair.session.protocol).to.equal('http/1.1');
        expect(pair.session.version).to.equal(maxVersion === 'TLSv1.3' ? 0x0304 : 0x0303);
        expect(pair.session.suiteName).to.match(/^TLS_.*AES_128_GCM_SHA256$/);
        const bytes = randomBytes(50_000);
        pair.client.write(bytes);
        while (Buffer.concat(pair.received).length < bytes.length) {
          await new Promise((resolve) => setImmediate(resolve));
          pair.feed(pair.wire.takeSent(), Math.max(size, 700));
        }
        expect(Buffer.concat(pair.received).equals(bytes)).to.equal(true);
        const echoed: Buffer[] = [];
        pair.client.on('data', (chunk: Buffer) => echoed.push(chunk));
        pair.session.write(bytes, 0, bytes.length);
        pair.flush();
        pair.session.writeText(textBytes().write('end'));
        pair.session.end();
        pair.flush();
        await once(pair.client, 'end');
        expect(Buffer.concat(echoed).equals(Buffer.concat([bytes, Buffer.from('end')]))).to.equal(true);
        pair.free();
      });

  it('StreamSession rejects clients without a common ALPN protocol', async () => {
    const pair = new Pair(context, { ALPNProtocols: ['x'] });
    expect(await pair.shakeHands().catch((error: Error) => error.message)).to.match(/no application protocol/);
    pair.free();
  });

  it('StreamSession keeps the sessions of one thread separate, with handshakes and records in any order', async () => {
    const pairs = Array.from({ length: 8 }, () => new Pair(context));
    await Promise.all(pairs.map((pair, i) => pair.shakeHands(1 + 40 * i)));
    for (const [i, pair] of pairs.entries()) pair.client.write(`from ${i}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const inputs = pairs.map((pair) => pair.wire.takeSent());
    for (let at = 0; inputs.some((input) => at < input.length); at += 3)
      for (const [i, pair] of pairs.entries()) pair.feed((inputs[i] as Buffer).subarray(at, at + 3));
    expect(pairs.map((pair) => Buffer.concat(pair.received).toString())).to.deep.equal(
      pairs.map((_, i) => `from ${i}`),
    );
    for (const pair of pairs) pair.free();
  });

  it('StreamSession fails without disturbing other sessions if bytes at any position are damaged', async () => {
    const good = new Pair(context);
    await good.shakeHands();
    const damage = fc.record({
      at: fc.nat(2000),
      value: fc.integer({ min: 1, max: 255 }),
      size: fc.integer({ min: 1, max: 600 }),
    });
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(damage, fc.boolean(), async ({ at, value, size }, isLate) => {
        const pair = new Pair(context);
        if (isLate) {
          await pair.shakeHands();
          pair.client.write('x'.repeat(1000));
        }
        await new Promise((resolve) => setImmediate(resolve));
        const bytes = pair.wire.takeSent();
        if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ value;
        pair.feed(bytes, size);
        if (pair.session.failure !== null) failed++;
        expect(Buffer.concat(pair.received).length).to.equal(0);
        pair.free();
        good.session.write(Buffer.from('unaffected'), 0, 10);
        expect(good.session.failure).to.equal(null);
        good.flush();
      }),
      { numRuns: 150 },
    );
    expect(failed).to.be.greaterThan(50);
    good.free();
  });

  it('StreamSession does not complete a handshake for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), { maxLength: 4 }), (parts) => {
        const session = new StreamSession(context, Buffer.from('response'));
        for (const part of parts) {
          if (session.failure !== null) break;
          session.feed(Buffer.from(part), 0, part.length);
          expect(session.handshake()).to.equal(false);
          session.sendTo(-1);
        }
        session.free();
      }),
      { numRuns: 1000 },
    );
  });

  it('StreamSession can be freed at each step and more than once, and refuses use after it is freed', async () => {
    for (let steps = 0; steps < 12; steps++) {
      const pair = new Pair(context);
      for (let i = 0; i < steps && !pair.isComplete; i++) {
        await new Promise((resolve) => setImmediate(resolve));
        pair.feed(pair.wire.takeSent(), 60);
      }
      pair.free();
      pair.free();
      for (const use of [
        () => pair.session.feed(Buffer.from('x'), 0, 1),
        () => pair.session.handshake(),
        () => pair.session.read(),
        () => pair.session.write(Buffer.from('x'), 0, 1),
        () => pair.session.end(),
        () => pair.session.peerCertificate,
        () => pair.session.suiteName,
      ])
        expect(use).to.throw(/use after free/);
    }
    const freed = new StreamContext(options);
    const session = new StreamSession(freed, null);
    freed.free();
    freed.free();
    expect(() => new StreamSession(freed, null)).to.throw(/use after free/);
    expect(session.handshake()).to.equal(false);
    session.free();
  });

  it('StreamSession never accesses memory outside of a buffer', async () => {
    const pair = new Pair(context);
    await pair.shakeHands();
    const bytes = Buffer.alloc(300);
    const bound = fc.integer({ min: -50, max: 400 });
    fc.assert(
      fc.property(bound, bound, (from, end) => {
        const inside = from >= 0 && end >= from && end <= bytes.length;
        if (!inside) {
          expect(() => pair.session.write(bytes, from, end)).to.throw(RangeError);
          expect(() => pair.session.feed(bytes, from, end)).to.throw(RangeError);
        }
      }),
    );
    expect(() => pair.session.writeText(maxEncrypted + 1)).to.throw(RangeError);
    pair.free();
  });

  it('StreamContext reports unusable certificates, keys and parameters', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const [wrong, message] of [
      [{ certificate: 'x' }, /does not contain a certificate/],
      [{ key: 'x' }, /private key cannot be read/],
      [{ key: foreign }, /private key cannot be used/],
      [{ groups: 'none' }, /does not support groups none/],
      [{ ciphers: 'none' }, /does not support cipher suites none/],
    ] as const)
      expect(() => new StreamContext({ ...options, ...wrong })).to.throw(message);
  });
});
