import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ClientGoneError, HttpError, ResponseFilter, type HttpEncoder, type ResponseWriter } from '@sluice/http-app';
import { MemoryResponse } from '@sluice/testing';
import { EncodingFilter } from '../../src/encode/filter.ts';
import { EncodedMemory } from '../../src/encode/memory.ts';
import { EncodingPolicy } from '../../src/encode/policy.ts';
import { begin, listen } from '../file_server/sockets.ts';
import { decoded, encode, scripted, serveThrough, text, through } from './support.ts';

const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
const type = (response: ResponseWriter): void => response.headers.set('content-type', 'text/plain');

/** A response writer at the end of the filter chain. It counts the output and accepts data only when the test allows it. */
class SlowWriter extends ResponseFilter {
  written = 0;
  #open: (() => void)[] = [];

  override write(chunk: string | Buffer): boolean {
    this.written += chunk.length;
    this.inner.write(chunk);
    return false;
  }

  override drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#open.push(resolve);
    });
  }

  release(): void {
    const open = this.#open;
    this.#open = [];
    for (const resolve of open) resolve();
  }
}

describe('http.handlers.encode streaming', () => {
  for (const coding of ['gzip', 'br', 'zstd']) {
    for (const [size, pieces] of [
      [3000, 1],
      [200_000, 1],
      [3000, 5],
      [40_000, 40],
      [1000, 400],
    ] as const) {
      it(`encode encodes ${pieces} chunks of ${size} bytes with ${coding}`, async () => {
        const handler = scripted('pieces', async ({ response }) => {
          type(response);
          for (let i = 1; i < pieces; i++) {
            if (!response.write(text(size))) await response.drained();
          }
          response.end(text(size));
        });
        const response = await through([encode(), handler], { headers: { 'Accept-Encoding': coding } });
        expect(response.headers.get('content-encoding')).to.equal(coding);
        expect(decoded(response)).to.equal(text(size).repeat(pieces));
        expect(response.body.length).to.be.below(size * pieces);
      });
    }
  }

  it('encode lets a writer reuse its buffer after a drain event', async () => {
    const handler = scripted('reuse', async ({ response }) => {
      type(response);
      const buffer = Buffer.alloc(50_000);
      for (let i = 0; i < 20; i++) {
        buffer.fill(65 + i);
        response.write(buffer);
        await response.drained();
      }
      response.end();
    });
    const expected = Array.from({ length: 20 }, (_, i) => String.fromCharCode(65 + i).repeat(50_000)).join('');
    expect(decoded(await through([encode(), handler], gzip))).to.equal(expected);
    const held = scripted('held', ({ response }) => {
      type(response);
      const small = Buffer.alloc(600, 'x');
      response.write(small);
      small.fill('y');
      response.end(small);
    });
    expect(decoded(await through([encode(), held], gzip))).to.equal('x'.repeat(600) + 'y'.repeat(600));
  });

  it('encode decides whether to encode based on the first chunk', async () => {
    const handler = scripted('small', ({ response }) => {
      type(response);
      response.write(text(300));
      response.end(text(3000));
    });
    expect((await through([encode(), handler], gzip)).headers.has('content-encoding')).to.equal(false);
    const declared = scripted('declared', ({ response }) => {
      type(response);
      response.headers.set('content-length', '3300');
      response.write(text(300));
      response.end(text(3000));
    });
    expect(decoded(await through([encode(), declared], gzip))).to.equal(text(300) + text(3000));
  });

  it('encode sends flushed data immediately, even if it is very short', async () => {
    let proceed: () => void = () => undefined;
    const handler = scripted('events', async ({ response }) => {
      response.headers.set('content-type', 'text/event-stream');
      response.flush();
      response.write('data: 1\n\n');
      response.flush();
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
      response.end('data: 2\n\n');
    });
    const server = await serveThrough([encode({ encodings: { gzip: {} } }), handler]);
    const listening = await listen(server);
    const response = await begin(listening.port, '/', { 'Accept-Encoding': 'gzip' });
    expect(response.headers['content-encoding']).to.equal('gzip');
    const plain = response.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH }));
    let received = '';
    plain.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received === 'data: 1\n\n') proceed();
    });
    await new Promise((resolve) => {
      plain.on('end', resolve);
    });
    expect(received).to.equal('data: 1\n\ndata: 2\n\n');
    await listening.close();
    await server.close();
  });

  it('encode reads from the handler no faster than the client reads', async () => {
    const slow = new SlowWriter(new MemoryResponse());
    const encoder: HttpEncoder = {
      coding: 'gzip',
      flushKind: constants.Z_SYNC_FLUSH,
      encode: (body) => gzipSync(body),
      stream: () => createGzip(),
    };
    const filter = new EncodingFilter(
      slow,
      new EncodingPolicy(1, null),
      { encoder, memory: new EncodedMemory() },
      false,
    );
    type(filter);
    let pieces = 0;
    const writing = (async () => {
      const piece = randomBytes(1_000_000);
      for (; pieces < 20; pieces++) if (!filter.write(piece)) await filter.drained();
      filter.end();
      await filter.finish();
    })();
    await sleep(100);
    expect(pieces).to.be.below(2);
    expect(slow.written).to.be.below(1_000_000);
    const timer = setInterval(() => slow.release(), 1);
    await writing;
    clearInterval(timer);
    expect(pieces).to.equal(20);
    expect(slow.ended).to.equal(true);
  });

  it('encode sends nothing if a handler fails before completing the response', async () => {
    const handler = scripted('failing', ({ response }) => {
      type(response);
      response.headers.set('x-mine', '1');
      response.writeHead(200);
      response.write(text(2000));
      throw new HttpError(502);
    });
    const response = await through([encode(), handler], gzip);
    expect(response).to.include({ status: 502, text: '' });
    expect(response.headers.has('content-encoding')).to.equal(false);
    const later = scripted('failing', async ({ response: writer }) => {
      type(writer);
      writer.write(text(2000));
      await sleep(1);
      throw new HttpError(503);
    });
    expect(await through([encode(), later], gzip)).to.include({ status: 503, text: '' });
  });

  it('encode aborts a response that fails after part of it was sent', async () => {
    const handler = scripted('cut', async ({ response }) => {
      type(response);
      response.write(text(200_000));
      await response.drained();
      throw new HttpError(502);
    });
    const server = await serveThrough([encode(), handler]);
    const listening = await listen(server);
    const error: unknown = await (async () => {
      const response = await begin(listening.port, '/', { 'Accept-Encoding': 'gzip' });
      for await (const chunk of response) void chunk;
    })().catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error);
    await listening.close();
    await server.close();
  });

  it('encode stops a writer whose client has disconnected', async () => {
    const seen: unknown[] = [];
    const random = randomBytes(300_000);
    const handler = scripted('gone', async ({ response }) => {
      type(response);
      try {
        for (;;) if (!response.write(random)) await response.drained();
      } catch (error) {
        seen.push(error);
        throw error;
      }
    });
    const server = await serveThrough([encode(), handler]);
    const listening = await listen(server);
    const response = await begin(listening.port, '/', { 'Accept-Encoding': 'gzip' });
    response.destroy();
    for (let i = 0; i < 500 && seen.length === 0; i++) await sleep(10);
    expect(seen[0]).to.be.instanceOf(ClientGoneError);
    await listening.close();
    await server.close();
  });

  it('encode ends a response that its handler did not end', async () => {
    const handler = scripted('open', ({ response }) => {
      type(response);
      response.write(text(100_000));
    });
    expect(decoded(await through([encode(), handler], gzip))).to.equal(text(100_000));
    const head = scripted('head', ({ response }) => response.writeHead(204));
    expect((await through([encode(), head], gzip)).status).to.equal(204);
  });

  it('encode encodes a repeated body correctly each time', async () => {
    const server = await serveThrough([
      encode(),
      { handler: 'static_response', body: `${text(20_000)}{http.request.uri.query.n}` },
    ]);
    for (const n of ['1', '2', '1', '1', '2', '2', '1', '3']) {
      const response = await server.request({ path: `/?n=${n}`, ...gzip });
      expect(decoded(response)).to.equal(`${text(20_000)}${n}`);
    }
    await server.close();
  });

  it('encode produces streams that other decoders can read', async () => {
    const handler = scripted('gzip', ({ response }) => {
      type(response);
      response.end(text(2000));
    });
    const { body } = await through([encode({ encodings: { gzip: { level: 9 } } }), handler], gzip);
    expect(gunzipSync(body).toString()).to.equal(text(2000));
  });
});
