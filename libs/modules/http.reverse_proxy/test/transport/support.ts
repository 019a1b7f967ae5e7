import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  emptyBody,
  parseDialAddress,
  upstreamTransports,
  type DialAddress,
  type Transport,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import type { JsonObject } from '@sluice/base';
import type { Register } from '@sluice/registry';
import { register } from '@sluice/http.reverse_proxy';
import { provision, type Provisioned } from '@sluice/testing';

export interface TestResponse {
  readonly status: number;
  readonly proto: string;
  readonly headers: HeaderMap;
  readonly body: string;
  readonly trailers: HeaderMap | null;
  readonly informational: readonly number[];
  /** Number of chunks in the response body. */
  readonly pieces: number;
}

/** Returns a request without a body. */
export function plainRequest(what: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    rawPath: '/',
    query: null,
    host: 'h.test',
    headers: new HeaderMap(),
    body: emptyBody,
    upgrade: '',
    exchange: null,
    ...what,
  };
}

export const idleSink: UpstreamSink = {
  borrows: false,
  holds: true,
  onInformational: () => true,
  onHead: () => true,
  onSpan: () => true,
  onData: () => true,
  onLull: () => undefined,
  onEnd: () => undefined,
  onUpgrade: (_headers: HeaderMap, socket: Duplex) => void socket.destroy(),
  onError: () => undefined,
};

export function makeTransport(config: JsonObject, ...others: readonly Register[]): Promise<Provisioned<Transport>> {
  return provision(upstreamTransports, config, { register: [register, ...others], key: 'protocol' });
}

/** Sends a request and collects the response. */
export function send(
  transport: Transport,
  dial: string | DialAddress,
  what: Partial<UpstreamRequest> = {},
): Promise<TestResponse> {
  const request = plainRequest(what);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const informational: number[] = [];
    let head: Pick<TestResponse, 'status' | 'proto' | 'headers'> | null = null;
    const sink: UpstreamSink = {
      borrows: false,
      holds: true,
      onInformational: (status) => informational.push(status) > 0,
      onHead: (status, proto, headers) => {
        head = { status, proto, headers };
        return true;
      },
      onSpan: (bytes, from, to) => sink.onData(Buffer.from(bytes.subarray(from, to))),
      onData: (chunk) => {
        chunks.push(chunk);
        return true;
      },
      onLull: () => undefined,
      onEnd: (trailers) =>
        resolve({
          ...(head as NonNullable<typeof head>),
          body: Buffer.concat(chunks).toString('latin1'),
          trailers,
          informational,
          pieces: chunks.length,
        }),
      onUpgrade: (_headers: HeaderMap, socket: Duplex) => {
        socket.destroy();
        reject(new Error('upgraded'));
      },
      onError: reject,
    };
    transport.send(typeof dial === 'string' ? parseDialAddress(dial) : dial, request, sink);
  });
}

export function fields(of: Readonly<Record<string, string>>): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(of)) headers.append(name, value);
  return headers;
}

/** A resource that listens on a port. */
export interface Listening {
  readonly dial: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port. Keeps track of connections in order to close them. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    dial: `127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Starts a server. Whenever data arrives, it calls `onData` with all data received on the connection so far. */
export function scripted(onData: (received: Buffer, socket: Socket) => void): Promise<Listening> {
  return listen(
    createServer((socket) => {
      let received: Buffer = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        onData(received, socket);
      });
    }),
  );
}
