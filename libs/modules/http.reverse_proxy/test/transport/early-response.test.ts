import { createServer } from 'node:net';
import { expect } from 'chai';
import { RequestBody, type BodySink } from '@sluice/http-app';
import type { JsonObject } from '@sluice/base';
import { makeExchange } from '@sluice/testing';
import { stdoutRecord, streamRecords } from '../../src/transport/fastcgi/records.ts';
import { listen, makeTransport, scripted, send, type TestResponse } from './support.ts';

/** A request body whose data the test provides. */
class PushedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  sink: BodySink | null = null;

  constructor(length: number) {
    super();
    this.length = length;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    this.sink = sink;
  }

  resume(): void {}
}

const response = 'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig';
const endOfRequest = Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const cgiResponse = Buffer.concat([
  streamRecords(stdoutRecord, Buffer.from('Status: 413 Too Large\r\nContent-Type: text/plain\r\n\r\nbig')),
  endOfRequest,
]);

describe('http.reverse_proxy.transport: responses before the end of the request', () => {
  const opened: { close(): Promise<void> | void }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  /**
   * Sends a request to an upstream that responds early and resets the connection. The request body continues in the same event loop turn,
   * before the response is read.
   */
  async function responseOf(config: JsonObject, bytes: string | Buffer | null): Promise<TestResponse> {
    const body = new PushedBody(config['protocol'] === 'fastcgi' ? 1_000_000 : -1);
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.pause();
        // If the upstream closes a connection with unread data, the kernel sends a reset.
        body.sink?.onData(Buffer.alloc(20_000));
        setTimeout(() => {
          if (bytes !== null) socket.write(bytes);
          socket.destroy();
          body.sink?.onData(Buffer.alloc(20_000));
          body.sink?.onData(Buffer.alloc(20_000));
        }, 20);
      });
    });
    const upstream = await listen(server);
    const made = await makeTransport(config);
    opened.push(upstream, made);
    const exchange = makeExchange({ path: '/script.php' });
    return send(made.instance, upstream.dial, { method: 'POST', body, exchange });
  }

  // Attack in docs/security.md: An upstream that responds early (413, 401) and closes the connection.
  it('the HTTP transport reads an early response even if a write fails before the response is read', async () => {
    expect(await responseOf({ protocol: 'http' }, response)).to.deep.include({ status: 413, body: 'big' });
  });

  it('the FastCGI transport reads an early response even if a write fails before the response is read', async () => {
    expect(await responseOf({ protocol: 'fastcgi', root: '/' }, cgiResponse)).to.deep.include({
      status: 413,
      body: 'big',
    });
  });

  for (const [name, config] of [
    ['HTTP', { protocol: 'http' }],
    ['FastCGI', { protocol: 'fastcgi', root: '/' }],
  ] as const)
    it(`a transport reports a missing response over ${name} as an error`, async () => {
      const missing = await responseOf(config, null).catch((error: unknown) => error);
      expect(missing).to.be.an('error').that.includes({ kind: 'closed', status: 502 });
    });

  // Attack in docs/security.md: An upstream that responds early (413, 401) and closes the connection.
  it('the HTTP transport stops sending the request body after an error response if the upstream closes the connection (RFC 9112 §9.5)', async () => {
    const body = new PushedBody(-1);
    let received = '';
    const upstream = await scripted((bytes, socket) => {
      if (received === '') {
        socket.write('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 3\r\n\r\n');
        setTimeout(() => body.sink?.onData(Buffer.from('the rest')), 30);
        setTimeout(() => socket.end('who'), 60);
      }
      received = bytes.toString('latin1');
    });
    const made = await makeTransport({ protocol: 'http' });
    opened.push(upstream, made);
    expect(await send(made.instance, upstream.dial, { method: 'POST', body })).to.include({ status: 401, body: 'who' });
    expect(received).not.to.include('the rest');
  });
});
