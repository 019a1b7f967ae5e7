import { xxhash64 } from '../../../src/proxy/selection/xxhash64.ts';
import { expect } from 'chai';
import fc from 'fast-check';

const mask = (1n << 64n) - 1n;
const primes = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
const [p1, p2, p3, p4, p5] = primes;

function rotated(value: bigint, bits: number): bigint {
  return ((value << BigInt(bits)) | (value >> BigInt(64 - bits))) & mask;
}

function lane(before: bigint, input: bigint): bigint {
  return (rotated((before + input * p2) & mask, 31) * p1) & mask;
}

/** A direct implementation of the xxHash64 specification with BigInt. */
function slow(bytes: Buffer): bigint {
  let i = 0;
  let hash: bigint = p5;
  if (bytes.length >= 32) {
    const lanes: bigint[] = [(p1 + p2) & mask, p2, 0n, -p1 & mask];
    for (; i + 32 <= bytes.length; i += 32)
      for (let k = 0; k < 4; k++) lanes[k] = lane(lanes[k] as bigint, bytes.readBigUInt64LE(i + 8 * k));
    hash = lanes.reduce((sum, each, k) => sum + rotated(each, [1, 7, 12, 18][k] as number), 0n) & mask;
    for (const each of lanes) hash = ((hash ^ lane(0n, each)) * p1 + p4) & mask;
  }
  hash = (hash + BigInt(bytes.length)) & mask;
  for (; i + 8 <= bytes.length; i += 8)
    hash = (rotated(hash ^ lane(0n, bytes.readBigUInt64LE(i)), 27) * p1 + p4) & mask;
  if (i + 4 <= bytes.length) {
    hash = (rotated(hash ^ ((BigInt(bytes.readUInt32LE(i)) * p1) & mask), 23) * p2 + p3) & mask;
    i += 4;
  }
  for (; i < bytes.length; i++) hash = (rotated(hash ^ ((BigInt(bytes[i] as number) * p5) & mask), 11) * p1) & mask;
  hash = ((hash ^ (hash >> 33n)) * p2) & mask;
  hash = ((hash ^ (hash >> 29n)) * p3) & mask;
  return hash ^ (hash >> 32n);
}

function fast(bytes: Buffer): bigint {
  const result = { high: 0, low: 0 };
  xxhash64(bytes, bytes.length, result);
  return (BigInt(result.high) << 32n) | BigInt(result.low);
}

describe('xxhash64', () => {
  for (const [text, expected] of [
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
  ] as const) {
    it(`xxhash64 hashes ${JSON.stringify(text)} as other implementations do`, () => {
      expect(fast(Buffer.from(text))).to.equal(expected);
    });
  }

  it('xxhash64 agrees with a BigInt implementation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(fast(Buffer.from(bytes))).to.equal(slow(Buffer.from(bytes)));
      }),
    );
  });
});
