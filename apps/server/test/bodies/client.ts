/** HTTP clients for each protocol. They read immediately, slowly, or after a delay, and record the received data. */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createGunzip, createZstdDecompress, constants } from 'node:zlib';
import type { Combination, Reader } from './combinations.ts';

export interface Outcome {
  readonly status: number;
  /** True if the client considers the response complete. */
  readonly whole: boolean;
  readonly body: Buffer;
  /** Bytes received after the response. Empty if there are none. */
  readonly surplus: string;
  /** True if the body ends when the connection closes. In this case, the client cannot detect truncation. */
  readonly untold: boolean;
}

export interface Ports {
  readonly plain: number;
  readonly secure: number;
}

/** Response timeout in milliseconds. */
const timeout = 20_000;

/** Requests the response body of a combination and records the response. */
export async function ask(ports: Ports, each: Combination): Promise<Outcome> {
  const { producer, filter, framing, ending, size, protocol } = each;
  const code = producer === 'gunzip' ? '&code=gzip' : '';
  const path = `/${producer}/${filter}/x?framing=${framing}&ending=${ending}&size=${size}${code}&last`;
  const fields: Record<string, string> = {};
  if (filter.endsWith('gzip')) fields['accept-encoding'] = 'gzip';
  else if (filter.endsWith('zstd')) fields['accept-encoding'] = 'zstd';
  if (producer === 'range') fields['range'] = `bytes=1-${size - 2}`;
  return protocol === 'h2' || protocol === 'h2c'
    ? askHttp2(protocol === 'h2' ? `https://localhost:${ports.secure}` : `http://127.0.0.1:${ports.plain}`, path, {
        fields,
        reader: each.reader,
      })
    : askHttp1(ports, path, fields, each);
}

/** Pauses reading according to the kind of reader. */
function readAs(reader: Reader, from: { pause(): unknown; resume(): unknown }): (bytes: number) => void {
  if (reader === 'late') {
    from.pause();
    setTimeout(() => from.resume(), 150);
  }
  if (reader !== 'slow') return () => {};
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < 50_000) return;
    since = 0;
    from.pause();
    setTimeout(() => from.resume(), 4);
  };
}

async function askHttp1(
  ports: Ports,
  path: string,
  fields: Readonly<Record<string, string>>,
  { protocol, reader }: Combination,
): Promise<Outcome> {
  const socket: Socket =
    protocol === 'h1s'
      ? connectTls({
          port: ports.secure,
          host: '127.0.0.1',
          servername: 'localhost',
          rejectUnauthorized: false,
          ALPNProtocols: ['http/1.1'],
        })
      : connect(ports.plain, '127.0.0.1');
  const isOld = protocol === 'h10';
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const next = isOld ? '' : 'GET /sentinel HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  socket.write(`GET ${path} HTTP/1.${isOld ? 0 : 1}\r\nHost: localhost\r\n${lines.join('')}\r\n${next}`);
  return parseHttp1(await readAll(socket, reader), isOld);
}

function readAll(socket: Duplex & { pause(): unknown; resume(): unknown }, reader: Reader): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const read = readAs(reader, socket);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end after ${Buffer.concat(chunks).length} bytes`));
    }, timeout);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      read(chunk.length);
    });
    // Pauses again, because adding a data listener resumes a stream.
    if (reader === 'late') socket.pause();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Parses a response and the marker response that follows. */
async function parseHttp1(bytes: Buffer, isOld: boolean): Promise<Outcome> {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, whole: false, body: Buffer.alloc(0), surplus: bytes.toString(), untold: false };
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const fields = new Map(lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]));
  const status = Number(first.split(' ')[1]);
  const length = fields.get('content-length');
  let at = end + 4;
  const pieces: Buffer[] = [];
  let whole = false;
  if (fields.get('transfer-encoding') === 'chunked') {
    for (;;) {
      const line = bytes.indexOf('\r\n', at);
      if (line < 0) break;
      const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
      at = line + 2;
      pieces.push(bytes.subarray(at, at + size));
      if (at + size + 2 > bytes.length) break;
      at += size + 2;
      whole = size === 0;
      if (whole) break;
    }
  } else {
    const stop = length === undefined ? bytes.length : Math.min(bytes.length, at + Number(length));
    pieces.push(bytes.subarray(at, stop));
    whole = length === undefined ? isOld : stop === at + Number(length);
    at = stop;
  }
  const rest = whole ? bytes.toString('latin1', at) : '';
  const surplus = rest === '' || /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nsentinel$/.test(rest) ? '' : rest;
  const body = await decoded(Buffer.concat(pieces), fields.get('content-encoding'));
  return { status, whole, body, surplus, untold: length === undefined && isOld };
}

async function askHttp2(
  authority: string,
  path: string,
  { fields, reader }: { fields: Readonly<Record<string, string>>; reader: Reader },
): Promise<Outcome> {
  const session: ClientHttp2Session = connectHttp2(authority, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  try {
    const stream = session.request({ ':path': path, ...fields });
    let [status, coding] = [0, undefined as string | undefined];
    const chunks: Buffer[] = [];
    const whole = await new Promise<boolean>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no end')), timeout);
      const finish = (isWhole: boolean): void => {
        clearTimeout(timer);
        resolve(isWhole);
      };
      stream.on('response', (headers) => {
        status = Number(headers[':status']);
        coding = headers['content-encoding'];
      });
      const read = readAs(reader, stream);
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        read(chunk.length);
      });
      if (reader === 'late') stream.pause();
      let isCut = false;
      stream.on('aborted', () => (isCut = true));
      stream.on('error', () => finish(false));
      stream.on('close', () => finish(!isCut && stream.rstCode === 0));
    });
    return { status, whole, body: await decoded(Buffer.concat(chunks), coding), surplus: '', untold: false };
  } finally {
    session.destroy();
  }
}

/** Decodes as much of a body as possible. */
function decoded(bytes: Buffer, coding: string | undefined): Promise<Buffer> {
  if (coding === undefined || bytes.length === 0) return Promise.resolve(bytes);
  const decoder = coding === 'gzip' ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }) : createZstdDecompress();
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    decoder.on('data', (piece: Buffer) => pieces.push(piece));
    decoder.on('error', () => resolve(Buffer.concat(pieces)));
    decoder.on('end', () => resolve(Buffer.concat(pieces)));
    decoder.end(bytes);
  });
}
