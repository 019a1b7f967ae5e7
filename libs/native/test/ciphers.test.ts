import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { nativeCiphers, nativeProblem } from '@sluice/native';

const suites = [
  { aead: 'aes-128-gcm', keyLength: 16 },
  { aead: 'aes-256-gcm', keyLength: 32 },
  { aead: 'chacha20-poly1305', keyLength: 32 },
] as const;

describe('nativeCiphers', () => {
  for (const suite of suites) {
    it(`nativeCiphers opens only packets that it has sealed, with ${suite.aead}`, () => {
      const key = randomBytes(suite.keyLength);
      const iv = randomBytes(12);
      const seal = nativeCiphers.aead(suite, key, iv, 'seal');
      const open = nativeCiphers.aead(suite, key, iv, 'open');
      const plain = randomBytes(1300);
      const bytes = Buffer.from(plain);
      const packet = { bytes, start: 10, payload: 40, end: 1200 };
      seal.seal(2 ** 33 + 5, packet);
      expect(bytes.subarray(0, 40).equals(plain.subarray(0, 40))).to.equal(true);
      expect(bytes.subarray(40, 1200).equals(plain.subarray(40, 1200))).to.equal(false);
      const copy = Buffer.from(bytes);
      expect(open.open(2 ** 33 + 6, { ...packet, bytes: copy })).to.equal(false);
      expect(open.open(2 ** 33 + 5, packet)).to.equal(true);
      expect(bytes.subarray(40, 1200).equals(plain.subarray(40, 1200))).to.equal(true);
      seal.free();
      seal.free();
      expect(() => seal.seal(1, packet)).to.throw('use after free');
    });
  }

  it('nativeCiphers masks headers as in RFC 9001 §A.2 and §A.5', () => {
    const aes = nativeCiphers.headerMask(
      { aead: 'aes-128-gcm' },
      Buffer.from('9f50449e04a0e810283a1e9933adedd2', 'hex'),
    );
    const sample = Buffer.from('d1b1c98dd7689fb8ec11d242b123dc9b', 'hex');
    expect(Buffer.from(aes.mask(sample, 0)).toString('hex', 0, 5)).to.equal('437b9aec36');
    const key = Buffer.from('25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4', 'hex');
    const chacha = nativeCiphers.headerMask({ aead: 'chacha20-poly1305' }, key);
    const other = Buffer.from('5e5cd55c41f69080575d7999c25a5bfb', 'hex');
    expect(Buffer.from(chacha.mask(other, 0)).toString('hex', 0, 5)).to.equal('aefefe7d03');
    aes.free();
    chacha.free();
  });

  it('nativeCiphers rejects a packet outside its buffer', () => {
    const seal = nativeCiphers.aead({ aead: 'aes-128-gcm' }, randomBytes(16), randomBytes(12), 'seal');
    for (const packet of [
      { bytes: Buffer.alloc(100), start: 0, payload: 20, end: 85 },
      { bytes: Buffer.alloc(100), start: -1, payload: 20, end: 80 },
    ])
      expect(() => seal.seal(1, packet)).to.throw(RangeError);
    seal.free();
  });
});

describe('nativeProblem', () => {
  it('nativeProblem returns null if the bindings are enabled, and otherwise names the environment variable that disables them', () => {
    expect(nativeProblem()).to.equal(null);
    process.env['SLUICE_NATIVE'] = 'off';
    try {
      expect(nativeProblem()).to.include('SLUICE_NATIVE');
    } finally {
      delete process.env['SLUICE_NATIVE'];
    }
  });
});
