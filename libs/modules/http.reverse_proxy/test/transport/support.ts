import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  emptyBody,
  HeaderMap,
  parseDialAddress,
  upstreamTransports,
  type DialAddress,
  type Transport,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import {
  apps,
  defineModule,
  json,
  options,
  Registry,
  Runtime,
  silentLogger,
  type JsonObject,
  type Register,
} from '@sluice/registry';
import { register } from '@sluice/http.reverse_proxy';

/** What came of a call. */
export interface Answer {
  readonly status: number;
  readonly proto: string;
  readonly headers: HeaderMap;
  readonly body: string;
  readonly trailers: HeaderMap | null;
  readonly informational: readonly number[];
}

/** A transport of a configuration. */
export async function makeTransport(
  config: JsonObject,
  ...others: readonly Register[]
): Promise<{ transport: Transport; close: () => Promise<void> }> {
  const registry = new Registry();
  let made: Transport | null = null;
  registry.add(
    defineModule(apps, {
      name: 'holder',
      help: 'Holds a transport.',
      config: options({ transport: json('The transport.') }),
      async provision(held, context) {
        made = await context.loadInline(upstreamTransports, held.transport ?? null, 'protocol', 'transport');
        return {};
      },
    }),
  );
  for (const each of [register, ...others]) registry.use(each);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
  runtime.commit(await runtime.prepare({ apps: { holder: { transport: config } } }));
  return { transport: made as unknown as Transport, close: () => runtime.close() };
}

/** Sends a request, and collects the answer. */
export function send(
  transport: Transport,
  dial: string | DialAddress,
  what: Partial<UpstreamRequest> = {},
): Promise<Answer> {
  const request: UpstreamRequest = {
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
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const informational: number[] = [];
    let head: Pick<Answer, 'status' | 'proto' | 'headers'> | null = null;
    const sink: UpstreamSink = {
      borrows: false,
      holds: true,
      onInformational: (status) => void informational.push(status),
      onHead: (status, proto, headers) => {
        head = { status, proto, headers };
        return true;
      },
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

/** Fields of an object. */
export function fields(of: Readonly<Record<string, string>>): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(of)) headers.append(name, value);
  return headers;
}

/** Something that listens on a port of its own. */
export interface Listening {
  readonly dial: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Puts a server on a port, and remembers its connections to close them. */
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

/** A server that is a script over bytes: called with all that a connection got so far. */
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
