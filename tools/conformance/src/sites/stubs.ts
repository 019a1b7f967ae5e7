/** Upstreams of the test sites. Parts of the path select the response behavior. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

/** A server that is stopped after the test. */
export interface Stub {
  readonly port: number;
  close(): void;
}

export interface Upstream extends Stub {
  readonly checks: number;
  /** Resets the count. */
  forget(): void;
}

/** Starts an upstream on a loopback port. Each response contains the upstream's name. */
export async function listenUpstream(name: string): Promise<Upstream> {
  const sockets = new Set<Duplex>();
  let checks = 0;
  const server = createServer((request, response) => {
    if (request.url?.includes('/health') === true) checks++;
    void respond(name, request, response);
  });
  server.on('upgrade', echoFrames);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get checks() {
      return checks;
    },
    forget: () => void (checks = 0),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function respond(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method = '', rawHeaders } = request;
  const body = await text(request).catch(() => '(cut)');
  response.setHeader('X-Upstream', name);
  response.sendDate = false;
  // The second upstream always fails its health checks.
  if (url.includes('/health')) return void response.writeHead(name === 'two' ? 503 : 200).end(`${name} is asked`);
  if (url.includes('/verify')) return verify(request, response);
  if (url.includes('/allowed')) return void response.writeHead(/domain=(?:good|shop\d)\./.test(url) ? 200 : 403).end();
  if (url.includes('/cookies')) response.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; HttpOnly']);
  if (url.includes('/leak')) response.setHeader('X-Powered-By', 'Stub/1.0').setHeader('Server', 'Stub');
  if (url.includes('/old')) response.setHeader('Location', 'http://internal.example/new?x=1');
  const status = Number(/\/status\/(\d{3})/.exec(url)?.[1] ?? 200);
  response.statusCode = status;
  if (url.includes('/json')) return void response.setHeader('Content-Type', 'application/json').end('{"ok":true}');
  response.setHeader('Content-Type', url.includes('/html') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8');
  if (url.includes('/gzip')) return void response.setHeader('Content-Encoding', 'gzip').end(gzipSync('squeezed'));
  if (url.includes('/html')) return void response.end('<p>http://internal.example/</p>\n'.repeat(40));
  if (url.includes('/pieces')) {
    response.write('one ');
    return void setTimeout(() => response.end('two'), 60);
  }
  const fields = rawHeaders.flatMap((each, index) =>
    index % 2 === 0 ? [`${each}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  const shown = body.length > 200 ? `${body.length} bytes` : body;
  response.end(`${name}: ${method} ${url}\n${fields.toSorted().join('\n')}\n\n${shown}`);
}

/** Checks a session cookie, as an authentication service would. */
function verify({ headers }: IncomingMessage, response: ServerResponse): void {
  const cookie = headers.cookie ?? '';
  const at = `${headers['x-forwarded-method'] as string} ${headers['x-forwarded-uri'] as string}`;
  if (cookie.includes('session=banned')) return void response.writeHead(403, { 'X-Reason': 'banned' }).end('banned');
  if (!cookie.includes('session=ann')) {
    const location = `https://auth.example.com/?rd=${String(headers['x-forwarded-host'])}${String(headers['x-forwarded-uri'])}`;
    return void response.writeHead(302, { Location: location, 'Set-Cookie': 'seen=1' }).end(`sign in to ${at}`);
  }
  response.writeHead(200, { 'Remote-User': 'ann', 'Remote-Groups': 'a,b', 'Remote-Email': '', 'X-Asked': at }).end();
}

/** Accepts a WebSocket and echoes each text frame in uppercase. Supports only short frames, which suffice for the tests. */
function echoFrames(request: IncomingMessage, socket: Duplex): void {
  const key = String(request.headers['sec-websocket-key']);
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const protocol = request.headers['sec-websocket-protocol'];
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n` +
      `X-Target: ${request.url ?? ''}\r\n${protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
  );
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at + 6 <= bytes.length;) {
      const length = (bytes[at + 1] ?? 0) & 0x7f;
      const mask = bytes.subarray(at + 2, at + 6);
      const content = bytes.subarray(at + 6, at + 6 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      const close = ((bytes[at] ?? 0) & 0x0f) === 8;
      const back = close ? content : Buffer.from(Buffer.from(content).toString('latin1').toUpperCase(), 'latin1');
      socket.write(Buffer.concat([Buffer.from([close ? 0x88 : 0x81, back.length]), back]));
      at += 6 + length;
      if (close) socket.end();
    }
  });
}
