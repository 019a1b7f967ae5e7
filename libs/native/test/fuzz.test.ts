import { expect } from 'chai';
import fc from 'fast-check';
import { nativeCiphers, nativeProblem, QuicTls, selfTest, TlsContext, type TlsContextOptions } from '@sluice/native';

const server: TlsContextOptions = {
  isServer: true,
  certificate: null,
  key: null,
  protocols: ['h3'],
  authorities: [],
  verification: 'none',
  ticketKeys: null,
};

describe('OpenSSL and socket bindings', function () {
  this.timeout(60_000);
  before(function () {
    if (nativeProblem() !== null) this.skip();
  });

  it('the native bindings pass their self-test', () => selfTest());

  // Attack in docs/security.md: Calls to the native bindings with wrong buffer lengths or freed handles; exceptions in their callbacks.
  it('the native bindings never access memory outside a buffer, for any packet range', () => {
    const aead = nativeCiphers.aead({ aead: 'aes-128-gcm' }, Buffer.alloc(16), Buffer.alloc(12), 'seal');
    const opening = nativeCiphers.aead({ aead: 'aes-128-gcm' }, Buffer.alloc(16), Buffer.alloc(12), 'open');
    const mask = nativeCiphers.headerMask({ aead: 'chacha20-poly1305' }, Buffer.alloc(32));
    const bound = fc.integer({ min: -70, max: 300 });
    fc.assert(
      fc.property(fc.nat(200), bound, bound, bound, (size, start, payload, end) => {
        const whole = Buffer.alloc(size + 128, 0xaa);
        const bytes = whole.subarray(64, 64 + size);
        const inside = start >= 0 && payload >= start && end >= payload && end + 16 <= size;
        for (const each of [aead.seal.bind(aead), opening.open.bind(opening)])
          try {
            each(1, { bytes, start, payload, end });
            expect(inside).to.equal(true);
          } catch (error) {
            expect(error).to.be.instanceOf(RangeError);
            expect(inside).to.equal(false);
          }
        if (start < 0 || start + 16 > size) expect(() => mask.mask(bytes, start)).to.throw(RangeError);
        else mask.mask(bytes, start);
        const around = Buffer.concat([whole.subarray(0, 64), whole.subarray(64 + size)]);
        expect(around.every((byte) => byte === 0xaa)).to.equal(true);
      }),
      { numRuns: 2000 },
    );
    for (const each of [aead, opening, mask]) each.free();
  });

  // Attack in docs/security.md: Calls to the native bindings with wrong buffer lengths or freed handles; exceptions in their callbacks.
  it('native objects reject use after they are freed, and can be freed twice', () => {
    const aead = nativeCiphers.aead({ aead: 'aes-256-gcm' }, Buffer.alloc(32), Buffer.alloc(12), 'seal');
    aead.free();
    aead.free();
    expect(() => aead.seal(1, { bytes: Buffer.alloc(100), start: 0, payload: 10, end: 50 })).to.throw(/use after free/);
    const context = new TlsContext(server);
    const session = new QuicTls({ context, parameters: Buffer.from([1, 1, 30]) });
    context.free();
    context.free();
    expect(() => new QuicTls({ context, parameters: Buffer.from([1, 1, 30]) })).to.throw(/use after free/);
    session.free();
    session.free();
    session.receive(0, Buffer.from('late'));
    expect(session.resumed).to.equal(false);
  });

  it('QuicTls does not complete a handshake for arbitrary bytes', () => {
    const context = new TlsContext(server);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.constantFrom(0, 2, 3), (bytes, level) => {
        const session = new QuicTls({ context, parameters: Buffer.from([1, 1, 30]) });
        session.start({
          onCryptoData: () => undefined,
          onSecret: () => undefined,
          onTransportParameters: () => undefined,
          onAlert: () => undefined,
          onComplete: () => expect.fail('noise is not a handshake'),
        });
        session.receive(level, Buffer.from(bytes));
        session.free();
      }),
      { numRuns: 500 },
    );
    context.free();
  });

  it('QuicTls ends a handshake with the exception that a callback throws', () => {
    const context = new TlsContext({ ...server, isServer: false });
    const session = new QuicTls({ context, parameters: Buffer.from([1, 1, 30]), serverName: 'localhost' });
    const failing = (): never => {
      throw new Error('thrown by a callback');
    };
    expect(() =>
      session.start({
        onCryptoData: failing,
        onSecret: failing,
        onTransportParameters: failing,
        onAlert: failing,
        onComplete: failing,
      }),
    ).to.throw('thrown by a callback');
    session.free();
    context.free();
  });
});
