/** Upstreams for every transport. The request query determines the framing, ending and size of the response. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createSecureServer, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { throwAwayCertificate } from '@sluice/testing';
import { bodyOf, type Ending, type Framing } from './combinations.ts';

/** Time to wait until written data has left the process, in milliseconds. */
const moment = 60;
const type = 'text/plain; charset=utf-8';
const surplus = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';

interface Wanted {
  readonly framing: Framing;
  readonly ending: Ending;
  readonly body: Buffer;
}

/** Upstream dial addresses by producer. */
export interface Upstreams {
  readonly dial: Readonly<Record<'http' | 'unix' | 'https' | 'h2c' | 'h2' | 'fastcgi', string>>;
  close(): Promise<void>;
}

function wantedBy(target: string): Wanted {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  return {
    framing: query.get('framing') as Framing,
    ending: query.get('ending') as Ending,
    body: bodyOf(Number(query.get('size'))),
  };
}

export async function startUpstreams(): Promise<Upstreams> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bodies-'));
  const { cert, key } = await throwAwayCertificate(['localhost']);
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const listen = async (server: Server, path?: string): Promise<string> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => {
      if (path === undefined) server.listen(0, '127.0.0.1', resolve);
      else server.listen(path, resolve);
    });
    return path === undefined ? `127.0.0.1:${(server.address() as AddressInfo).port}` : `unix/${path}`;
  };
  const onTls = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'] }, speakHttp1);
  const onHttp2 = createHttp2Server().on('stream', speakHttp2);
  const onSecureHttp2 = createSecureServer({ cert, key }).on('stream', speakHttp2);
  for (const server of [onTls, onHttp2, onSecureHttp2]) server.on('tlsClientError', () => undefined);
  const dial = {
    http: await listen(createServer(speakHttp1)),
    unix: await listen(createServer(speakHttp1), join(folder, 'upstream.sock')),
    https: await listen(onTls),
    h2c: await listen(onHttp2),
    h2: await listen(onSecureHttp2),
    fastcgi: await listen(createServer(speakFastcgi)),
  };
  return {
    dial,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends a connection after all data has been written. Returns the timer if the end is delayed. */
function endSocket(socket: Socket, ending: Ending): NodeJS.Timeout | undefined {
  if (ending === 'ended' || ending === 'cut' || ending === 'excess') socket.end();
  else if (ending === 'later') return setTimeout(() => socket.end(), moment);
  else if (ending === 'reset') return setTimeout(() => resetSocket(socket), moment);
  return undefined;
}

/** Resets a TCP connection. Other sockets do not support resets, so they are closed. */
function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket || socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

function speakHttp1(socket: Socket): void {
  let text = '';
  let waiting: NodeJS.Timeout | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (!text.includes('\r\n\r\n')) return;
    // The timer of one response must not affect the next response on the same connection.
    clearTimeout(waiting);
    const codes = /\r\naccept-encoding: *gzip\r\n/i.test(text) && text.includes('code=gzip');
    const { framing, ending, body: plain } = wantedBy(text.split(' ', 2)[1] ?? '');
    text = '';
    const body = codes ? gzipSync(plain) : plain;
    const sent = ending === 'cut' ? body.subarray(0, body.length >> 1) : body;
    const framed = {
      // Closes the connection, because on a reused connection the excess bytes would be the response to the next request.
      length: `${ending === 'excess' ? 'Connection: close\r\n' : ''}Content-Length: ${body.length}\r\n\r\n`,
      chunked: 'Transfer-Encoding: chunked\r\n\r\n',
      close: 'Connection: close\r\n\r\n',
    }[framing];
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${codes ? 'Content-Encoding: gzip\r\n' : ''}${framed}`);
    if (framing === 'chunked') writeChunks(socket, sent, ending !== 'cut');
    else socket.write(sent);
    if (ending === 'excess') socket.write(surplus);
    // If the connection close ends the body, only a reset indicates truncation.
    if (framing === 'close' && ending === 'cut') setTimeout(() => resetSocket(socket), moment);
    else waiting = endSocket(socket, ending);
  });
}

/** Writes a body in pieces of different sizes, as real programs do. */
function writeChunks(socket: Socket, body: Buffer, isWhole: boolean): void {
  const pieces = [1, 100, 5000, 16_384, 65_536];
  for (let at = 0, i = 0; at < body.length; i++) {
    const piece = body.subarray(at, at + (pieces[i % pieces.length] as number));
    socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    at += piece.length;
  }
  if (isWhole) socket.write('0\r\n\r\n');
}

function speakHttp2(stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>): void {
  const { framing, ending, body } = wantedBy(String(headers[':path']));
  const sent = ending === 'cut' ? body.subarray(0, body.length >> 1) : body;
  stream.on('error', () => undefined);
  stream.session?.on('error', () => undefined);
  stream.respond({
    ':status': 200,
    'content-type': type,
    ...(framing === 'length' ? { 'content-length': String(body.length) } : {}),
  });
  if (ending === 'cut') {
    // Waits until the data has left the process before the stream is reset.
    stream.write(sent, () => setTimeout(() => stream.destroy(new Error('cut')), moment));
    return;
  }
  const { session } = stream;
  stream.on('finish', () => {
    if (ending === 'ended') session?.close();
    else if (ending === 'later') setTimeout(() => session?.close(), moment);
  });
  stream.end(sent);
}

const recordHead = 8;
const stdinRecord = 5;
const paramsRecord = 4;

function record(kind: number, content: Buffer): Buffer {
  const head = Buffer.from([1, kind, 0, 1, 0, 0, 0, 0]);
  head.writeUInt16BE(content.length, 4);
  return Buffer.concat([head, content]);
}

function speakFastcgi(socket: Socket): void {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const params: Buffer[] = [];
    let isWhole = false;
    for (let at = 0; at + recordHead <= bytes.length;) {
      const size = bytes.readUInt16BE(at + 4);
      const next = at + recordHead + size + (bytes[at + 6] as number);
      if (bytes[at + 1] === paramsRecord) params.push(bytes.subarray(at + recordHead, at + recordHead + size));
      if (bytes[at + 1] === stdinRecord && size === 0) isWhole = true;
      at = next;
    }
    if (!isWhole) return;
    bytes = Buffer.alloc(0);
    respondAsScript(socket, /REQUEST_URI([^ ]*?&last)/s.exec(Buffer.concat(params).toString('latin1'))?.[1] ?? '');
  });
}

function respondAsScript(socket: Socket, target: string): void {
  const { framing, ending, body } = wantedBy(target);
  const sent = ending === 'cut' ? body.subarray(0, body.length >> 1) : body;
  const length = framing === 'length' ? `Content-Length: ${body.length}\r\n` : '';
  const output = Buffer.concat([
    Buffer.from(`Content-Type: ${type}\r\n${length}\r\n`),
    sent,
    Buffer.from(ending === 'excess' ? surplus : ''),
  ]);
  const sizes = [10, 1000, 8192, 32_768, 65_535];
  const records: Buffer[] = [];
  for (let at = 0, i = 0; at < output.length; i++) {
    const piece = output.subarray(at, at + (sizes[i % sizes.length] as number));
    records.push(record(6, piece));
    at += piece.length;
  }
  if (ending !== 'cut') records.push(record(3, Buffer.alloc(8)));
  socket.write(Buffer.concat(records));
  endSocket(socket, ending);
}
