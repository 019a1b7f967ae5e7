import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { register } from '@sluice/http.encoders';
import type { JsonObject } from '@sluice/base';
import { provisionMap } from '@sluice/testing';

async function load(encodings: JsonObject): Promise<ReadonlyMap<string, HttpEncoder>> {
  const { instance, close } = await provisionMap(httpEncoders, encodings, { register: [register] });
  await close();
  return instance;
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body),
  br: (body) => brotliDecompressSync(body),
  zstd: (body) => zstdDecompressSync(body),
};

/** Encodes chunks with a flush after each. Returns the output of the stream. */
async function streamed(encoder: HttpEncoder, pieces: readonly Uint8Array[]): Promise<Buffer> {
  const stream = encoder.stream();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const piece of pieces) {
    stream.write(piece);
    await new Promise<void>((resolve) => {
      stream.flush(encoder.flushKind, resolve);
    });
  }
  stream.end();
  await new Promise((resolve) => {
    stream.once('end', resolve);
  });
  return Buffer.concat(chunks);
}

/** Encodes a body with a new encoder and returns the output. */
async function encodeOnce(coding: string, settings: JsonObject, body: Buffer): Promise<Buffer> {
  const encoder = (await load({ [coding]: settings })).get(coding) as HttpEncoder;
  return encoder.encode(body);
}

describe('http.encoders', () => {
  for (const coding of ['gzip', 'zstd']) {
    it(`the ${coding} encoder encodes short bodies immediately, and lets callers reuse their buffers`, async () => {
      const encoder = (await load({ [coding]: {} })).get(coding) as HttpEncoder;
      const memory = Buffer.from('All work and no play. '.repeat(200));
      const whole = Buffer.from(memory);
      const encoded = encoder.encodeAtOnce?.(memory) as Buffer;
      memory.fill('x');
      encoder.encodeAtOnce?.(memory);
      expect(decoders[coding]?.(encoded).equals(whole)).to.equal(true);
      expect(encoder.encodeAtOnce?.(Buffer.alloc(100_000))).to.equal(null);
    });
  }

  const configurations: readonly [coding: string, options: JsonObject][] = [
    ['gzip', {}],
    ['gzip', { level: 0 }],
    ['gzip', { level: 1 }],
    ['gzip', { level: 9 }],
    ['gzip', { level: -1 }],
    ['gzip', { level: -2 }],
    ['gzip', { level: -3 }],
    ['br', {}],
    ['br', { quality: 0 }],
    ['br', { quality: 9 }],
    ['zstd', {}],
    ['zstd', { level: 'fastest', checksum: false }],
    ['zstd', { level: 'default' }],
    ['zstd', { level: 'BETTER' }],
    ['zstd', { level: '' }],
    ['zstd', { level: 'best', checksum: true }],
  ];
  for (const [coding, settings] of configurations) {
    it(`the ${coding} encoder with ${JSON.stringify(settings)} produces output that a ${coding} decoder can read`, async () => {
      const encoder = (await load({ [coding]: settings })).get(coding) as HttpEncoder;
      const decode = decoders[coding] as (body: Buffer) => Buffer;
      expect(encoder.coding).to.equal(coding);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 4 }), async (pieces) => {
          const whole = Buffer.concat(pieces);
          expect(decode(await encoder.encode(whole)).equals(whole)).to.equal(true);
          expect(decode(await streamed(encoder, pieces)).equals(whole)).to.equal(true);
        }),
        { numRuns: 20 },
      );
      const page = Buffer.from('All work and no play. '.repeat(20_000));
      const encoded = await encoder.encode(page);
      expect(decode(encoded).equals(page)).to.equal(true);
      expect(encoded.length).to.be.below(page.length / 2);
    });
  }

  it('every encoder encodes many bodies concurrently', async () => {
    for (const coding of ['gzip', 'br', 'zstd']) {
      const encoder = (await load({ [coding]: {} })).get(coding) as HttpEncoder;
      const decode = decoders[coding] as (body: Buffer) => Buffer;
      const bodies = Array.from({ length: 50 }, (_, i) => Buffer.from(`body ${i} `.repeat(i * 200)));
      const encoded = await Promise.all(bodies.map((body) => encoder.encode(body)));
      for (const [i, body] of encoded.entries()) expect(decode(body).equals(bodies[i] as Buffer)).to.equal(true);
      const again = await Promise.all(bodies.map((body) => encoder.encode(body)));
      expect(again.map(({ length }) => length)).to.deep.equal(encoded.map(({ length }) => length));
    }
  });

  it('the zstd encoder adds a checksum by default', async () => {
    const lengthOf = async (settings: JsonObject): Promise<number> =>
      (await encodeOnce('zstd', settings, Buffer.from('text'))).length;
    expect((await lengthOf({})) - (await lengthOf({ checksum: false }))).to.equal(4);
  });

  it('every encoder produces smaller output at a higher level', async () => {
    const page = Buffer.from(Array.from({ length: 5000 }, (_, i) => `line ${(i * 7919) % 1000} of it\n`).join(''));
    const lengthOf = async (coding: string, settings: JsonObject): Promise<number> =>
      (await encodeOnce(coding, settings, page)).length;
    expect(await lengthOf('gzip', { level: 9 })).to.be.below(await lengthOf('gzip', { level: 1 }));
    expect(await lengthOf('br', { quality: 9 })).to.be.below(await lengthOf('br', { quality: 1 }));
    expect(await lengthOf('zstd', { level: 'best' })).to.be.below(await lengthOf('zstd', { level: 'fastest' }));
  });

  for (const coding of ['gzip', 'zstd']) {
    it(`the ${coding} encoder encodes short bodies synchronously, and long bodies in the background`, async () => {
      const encoder = (await load({ [coding]: {} })).get(coding) as HttpEncoder;
      const decode = decoders[coding] as (body: Buffer) => Buffer;
      const max = 48 * 1024;
      const bodies = [0, 1, 100, max, 20_000, max + 1, 7, 500_000].map((size) => randomBytes(size));
      for (const body of bodies) {
        const encoded = encoder.encode(body);
        expect(encoded instanceof Promise, `${body.length} bytes`).to.equal(body.length > max);
        expect(decode(await encoded).equals(body)).to.equal(true);
      }
    });
  }
});
