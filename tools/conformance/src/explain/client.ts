/** Sends generated requests to the server's listeners over sockets and reads the responses. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import type { LoopbackConnections, SocketFacts } from '@sluice/http-app';
import { bytesOf, type Message } from '../exchange.ts';

/** A response as received by a client. */
export interface WireResponse {
  /** Response status, or 0 if the connection closed before the response head arrived. */
  readonly status: number;
  /** Header field values by lowercase name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
  readonly cut: boolean;
}

const cut: WireResponse = { status: 0, headers: {}, body: Buffer.alloc(0), cut: true };

/** Sends one request on a new connection. */
export async function send(to: LoopbackConnections, message: Message, facts: SocketFacts): Promise<WireResponse> {
  return facts.tls?.protocol === 'h2' ? overHttp2(to, message, facts) : overHttp1(to, message, facts);
}

async function overHttp1(to: LoopbackConnections, message: Message, facts: SocketFacts): Promise<WireResponse> {
  const socket = await to.connect(facts);
  socket.write(bytesOf(message));
  try {
    return responseIn(await buffer(socket), message.method === 'HEAD');
  } catch {
    return cut;
  } finally {
    socket.destroy();
  }
}

/** Parses a response that ends when the connection closes. */
function responseIn(bytes: Buffer, isHead: boolean): WireResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return cut;
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(start.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status < 200 && status !== 101) return responseIn(rest, isHead);
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString();
    (headers[line.slice(0, colon).toLowerCase()] ??= []).push(value);
  }
  const isChunked = headers['transfer-encoding']?.[0] === 'chunked';
  const body = isChunked ? joinedChunks(rest) : rest;
  const length = Number(headers['content-length']?.[0] ?? body?.length ?? 0);
  const isShort = !isHead && status !== 304 && body !== null && body.length !== length;
  return { status, headers, body: body ?? Buffer.alloc(0), cut: body === null || isShort };
}

/** Joins the chunks of a body. Returns `null` if the last chunk is missing. */
function joinedChunks(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

async function overHttp2(to: LoopbackConnections, message: Message, facts: SocketFacts): Promise<WireResponse> {
  const socket = await to.connect(facts);
  const session = connectHttp2(`http://${message.host}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  try {
    const { method, target, host, headers, body } = message;
    const fields: Record<string, string | readonly string[]> = { ...headers };
    const own = { ':method': method, ':path': target, ':authority': host, ':scheme': 'https' };
    const stream = session.request({ ...fields, ...own }, { endStream: body === '' });
    if (body !== '') stream.end(body);
    const [received, , raw] = (await once(stream, 'response')) as [Record<string, unknown>, number, readonly string[]];
    const content = await buffer(stream);
    const lines: Record<string, string[]> = {};
    for (let i = 0; i < raw.length; i += 2)
      if (raw[i]?.startsWith(':') === false)
        (lines[raw[i] as string] ??= []).push(Buffer.from(raw[i + 1] as string, 'latin1').toString());
    return { status: Number(received[':status']), headers: lines, body: content, cut: false };
  } catch {
    return cut;
  } finally {
    session.destroy();
  }
}
