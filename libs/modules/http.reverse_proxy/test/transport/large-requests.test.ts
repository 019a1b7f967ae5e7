import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestBody, SendBuffer, type BodySink } from '@sluice/http-app';
import { makeTransport, send } from './support.ts';

/** A request body whose buffer is overwritten after each chunk, as in the server. */
class LentBody extends RequestBody {
  readonly trailers = null;
  consumed = false;
  readonly length: number;
  readonly #content: Buffer;
  readonly #memory = Buffer.alloc(64 * 1024);
  #at = 0;
  #sink: BodySink | null = null;

  constructor(content: Buffer) {
    super();
    this.#content = content;
    this.length = content.length;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    this.#sink = sink;
    this.resume();
  }

  resume(): void {
    const sink = this.#sink as BodySink;
    const content = this.#content;
    while (this.#at < content.length) {
      const size = Math.min(content.length - this.#at, 1 + ((this.#at * 7919) % this.#memory.length));
      content.copy(this.#memory, 0, this.#at, this.#at + size);
      this.#at += size;
      const flows = sink.onData(this.#memory.subarray(0, size));
      this.#memory.fill('?');
      if (!flows) return;
    }
    this.#sink = null;
    sink.onEnd();
  }
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

describe('http.reverse_proxy.transport.http: large requests', () => {
  it('the HTTP transport completely delivers successive large requests on one connection to slow upstreams', async () => {
    const connections: Socket[] = [];
    const server = createServer((socket) => {
      connections.push(socket);
      let digest = createHash('sha256');
      let left = -1;
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        let from = 0;
        if (left < 0) {
          // The upstream reads nothing for some time, so the kernel stops accepting data.
          socket.pause();
          setTimeout(() => socket.resume(), 50);
          from = chunk.indexOf('\r\n\r\n') + 4;
          left = Number(/Content-Length: (\d+)/.exec(chunk.toString('latin1', 0, from))?.[1]);
        }
        digest.update(chunk.subarray(from));
        left -= chunk.length - from;
        if (left > 0) return;
        const text = `${digest.digest('hex')} ${left}`;
        digest = createHash('sha256');
        left = -1;
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const made = await makeTransport({ protocol: 'http' });
    const dial = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const size of [8_000_000, 5000, 70_000]) {
      const content = Buffer.alloc(size);
      for (let i = 0; i + 4 <= size; i += 4) content.writeUInt32LE((i * 2654435761 + size) >>> 0, i);
      const { body } = await send(made.instance, dial, { method: 'POST', body: new LentBody(content) });
      expect(body).to.equal(`${hash(content)} 0`);
    }
    expect(connections.length).to.equal(1);
    await made.close();
    await sleep(1);
    for (const socket of connections) socket.destroy();
    server.close();
  });

  it('the HTTP transport reuses request buffers only after the kernel has accepted their content', () => {
    const buffer = new SendBuffer();
    const memory = (piece: Buffer): ArrayBufferLike => piece.buffer;
    const first = buffer.take(10_000, true);
    expect(first.length).to.equal(10_000);
    expect(memory(buffer.take(20_000, true))).to.equal(memory(first));
    expect(memory(buffer.take(20_000, false))).not.to.equal(memory(first));
    expect(memory(buffer.take(10, true))).not.to.equal(memory(first));
    buffer.release(false);
    const second = buffer.take(10_000, true);
    expect(memory(second)).not.to.equal(memory(first));
    buffer.release(true);
    expect(memory(new SendBuffer().take(5000, true))).to.equal(memory(second));
  });
});
