import { expect } from 'chai';
import type { ResponseWriter } from '@sluice/http-app';
import { EngineHost, serveSocket, type SocketFacts } from '../../../src/engine/index.ts';
import { HandlerServer } from '../harness.ts';
import { MemorySocket } from '../memory-socket.ts';

const facts: SocketFacts = {
  remoteAddress: '192.0.2.1',
  remotePort: 1,
  localAddress: '192.0.2.2',
  localPort: 80,
  unix: false,
  tls: null,
  notes: { opening: null, point: null },
};
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Writes a response in a later event loop turn, as with an upstream response. Returns the output, and the number of writes after each step. */
async function respond(
  ...steps: readonly ((response: ResponseWriter) => void)[]
): Promise<{ text: string; writes: number[] }> {
  const socket = new MemorySocket();
  const writes: number[] = [];
  const server = new HandlerServer(async ({ response }) => {
    await turn();
    for (const step of steps) {
      step(response);
      writes.push(socket.writes);
    }
    await turn();
  });
  const host = new EngineHost(server);
  serveSocket(host, socket, facts);
  socket.receive(Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
  for (let i = 0; i < 5; i++) await turn();
  host.cut();
  await turn();
  expect(server.errors).to.deep.equal([]);
  return { text: socket.written.replaceAll(/Date: [^\r]*\r\n/g, ''), writes };
}

/** Sends several requests in one read. Returns the output and the number of writes. */
async function respondToAll(
  bodies: readonly Buffer[],
  wait: (path: string) => Promise<void> | null = () => null,
): Promise<{ text: string; writes: number }> {
  const socket = new MemorySocket();
  const server = new HandlerServer(({ response, uri }) => {
    response.headers.set('content-type', '');
    const end = (): void => response.end(bodies[Number(uri.slice(1))]);
    const waiting = wait(uri);
    return waiting === null ? end() : waiting.then(end);
  });
  const host = new EngineHost(server);
  serveSocket(host, socket, facts);
  socket.receive(Buffer.from(bodies.map((_, i) => `GET /${i} HTTP/1.1\r\nHost: h\r\n\r\n`).join('')));
  for (let i = 0; i < 5; i++) await turn();
  const { writes } = socket;
  const text = socket.written.replaceAll(/Date: [^\r]*\r\n/g, '');
  host.cut();
  await turn();
  expect(server.errors).to.deep.equal([]);
  return { text, writes };
}

const wholeResponse = (body: Buffer): string =>
  `${start}Content-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`;

const start = 'HTTP/1.1 200 OK\r\nServer: Sluice\r\n';
const untyped = (response: ResponseWriter): void => {
  response.headers.set('content-type', '');
  response.writeHead(200);
};

describe('Http1Output', () => {
  it('Http1Output sends the head and the first body chunk in one write', async () => {
    const large = 'x'.repeat(3000);
    expect(
      await respond(
        untyped,
        (response) => response.write(large),
        (response) => response.write('y'),
        (response) => response.end(),
      ),
    ).to.deep.equal({
      text: `${start}Transfer-Encoding: chunked\r\n\r\nbb8\r\n${large}\r\n1\r\ny\r\n0\r\n\r\n`,
      writes: [0, 1, 2, 3],
    });
  });

  it('Http1Output sends buffered output at the end of the buffered block or of the response', async () => {
    const large = 'x'.repeat(3000);
    expect(
      await respond(
        untyped,
        (response) => response.gather(),
        (response) => response.write(large),
        (response) => response.write('y'),
        (response) => response.gathered(),
        (response) => response.gather(),
        (response) => response.write('z'),
        (response) => response.end(),
      ),
    ).to.deep.equal({
      text: `${start}Transfer-Encoding: chunked\r\n\r\nbb8\r\n${large}\r\n1\r\ny\r\n1\r\nz\r\n0\r\n\r\n`,
      writes: [0, 0, 0, 0, 1, 1, 1, 2],
    });
  });

  it('Http1Output does not buffer after a flush', async () => {
    expect(
      await respond(
        untyped,
        (response) => response.gather(),
        (response) => response.write('a'),
        (response) => response.flush(),
        (response) => response.write('b'),
        (response) => response.end(),
      ),
    ).to.deep.equal({
      text: `${start}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n`,
      writes: [0, 0, 0, 1, 2, 3],
    });
  });

  it('Http1Output sends the head of a response without a body', async () => {
    const { text, writes } = await respond(
      ({ headers }) => {
        headers.set('content-length', '3');
        headers.set('content-type', '');
      },
      (response) => response.gather(),
      (response) => response.write('x'.repeat(3000)),
    );
    expect(text).to.equal(`${start}Content-Length: 3\r\n\r\n`);
    expect(writes).to.deep.equal([0, 0, 1]);
  });

  it('Http1Output writes the responses to all requests that arrived in one read in a single write', async () => {
    const bodies = [600, 20_000, 3, 5000].map((size, i) => Buffer.alloc(size, `${i}`));
    expect(await respondToAll(bodies)).to.deep.equal({ text: bodies.map(wholeResponse).join(''), writes: 1 });
  });

  it('Http1Output limits the amount of buffered output to what the socket accepts without backpressure', async () => {
    const bodies = Array.from({ length: 12 }, (_, i) => Buffer.alloc(15_000, i));
    const { text, writes } = await respondToAll(bodies);
    expect(text).to.equal(bodies.map(wholeResponse).join(''));
    expect(writes).to.be.within(2, 6);
  });

  it('Http1Output sends a response without waiting for the handler of the next request', async () => {
    const bodies = [Buffer.alloc(600, 'a'), Buffer.alloc(600, 'b')];
    const { text, writes } = await respondToAll(bodies, (path) =>
      path === '/1' ? new Promise(() => undefined) : null,
    );
    expect(text).to.equal(wholeResponse(bodies[0] as Buffer));
    expect(writes).to.equal(1);
  });

  for (const size of [1, 100, 513, 2049, 10_000, 20_000]) {
    it(`Http1Output copies a chunk of ${size} bytes because the caller may overwrite it later`, async () => {
      const bytes = Buffer.alloc(size + 10);
      const expected = Buffer.alloc(size, '\xe4bc', 'latin1');
      const span = (response: ResponseWriter): void => {
        expected.copy(bytes, 7);
        response.writeSpan(bytes, 7, 7 + size);
        bytes.fill('?');
      };
      const { text } = await respond(untyped, span, span, (response) => response.end());
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      const content = expected.toString('latin1');
      const chunk = `${size.toString(16)}\r\n${content}\r\n`;
      expect(body).to.equal(size * 2 <= 2048 ? content + content : `${chunk}${chunk}0\r\n\r\n`);
    });
  }
});
