/** A test listener that calls a handler instead of a server, and a client that sends raw bytes. */
import { connect, type AddressInfo, type Socket } from 'node:net';
import {
  Listener,
  paceRule,
  type Exchange,
  type RouteList,
  type ServerHandle,
  type ServerLimits,
} from '@sluice/http-app';
import { noKeptNames } from '@sluice/http1';
import { silentLogger, type NetworkAddress } from '@sluice/base';

export type Handler = (exchange: Exchange) => void | Promise<void>;

const noLimits: ServerLimits = {
  readTimeout: 0,
  readHeaderTimeout: 0,
  writeTimeout: 0,
  readPace: paceRule(0),
  writePace: paceRule(0),
  idleTimeout: 0,
  maxHeaderBytes: 20 * 1024,
  keepAliveInterval: 0,
  fullDuplex: false,
  keptHeaders: noKeptNames,
};

/** Runs a function for each exchange. Ends responses that remain open, as a server does. */
export class HandlerServer implements ServerHandle {
  readonly errorPages = false;
  readonly redirects = null;
  readonly name = 'test';
  readonly limits: ServerLimits;
  readonly shutdownAt = 0;
  readonly protocols: readonly string[];
  count = 0;
  readonly errors: unknown[] = [];
  readonly #handler: Handler;

  constructor(handler: Handler, limits: Partial<ServerLimits> = {}, protocols: readonly string[] = ['h1', 'h2']) {
    this.#handler = handler;
    this.limits = { ...noLimits, ...limits };
    this.protocols = protocols;
  }

  namedRoute(): RouteList | undefined {
    return undefined;
  }

  clientIp(exchange: Exchange): string {
    return exchange.connection.remoteAddress;
  }

  isTrustedProxy(): boolean {
    return false;
  }

  fail(exchange: Exchange, error: unknown): void {
    this.#failed(exchange, error);
    exchange.writer.end();
  }

  handle(exchange: Exchange): void | Promise<void> {
    this.count++;
    try {
      const pending = this.#handler(exchange);
      if (pending !== undefined) return this.#later(exchange, pending);
    } catch (error) {
      this.#failed(exchange, error);
    }
    exchange.writer.end();
  }

  async #later(exchange: Exchange, pending: Promise<void>): Promise<void> {
    try {
      await pending;
    } catch (error) {
      this.#failed(exchange, error);
    }
    exchange.writer.end();
  }

  #failed(exchange: Exchange, error: unknown): void {
    this.errors.push(error);
    if (exchange.writer.status === 0) exchange.writer.writeHead((error as { status?: number }).status ?? 500);
    else exchange.connection.destroy();
  }
}

/** A listener on a free loopback port. */
export interface TestListener {
  readonly port: number;
  readonly listener: Listener;
  readonly server: HandlerServer;
  close(): Promise<void>;
}

export const loopback: NetworkAddress = { network: 'tcp', host: '127.0.0.1', startPort: 0, endPort: 0, mode: null };

/** Listens on a free port and passes requests to a handler. */
export async function listen(
  handler: Handler,
  limits: Partial<ServerLimits> = {},
  protocols?: readonly string[],
): Promise<TestListener> {
  const server = new HandlerServer(handler, limits, protocols);
  const listener = await Listener.open({ address: loopback, reusePort: false, log: silentLogger });
  listener.target = server;
  return { port: (listener.address as AddressInfo).port, listener, server, close: () => listener.close() };
}

/** A client that sends and receives raw bytes. Strings have one character per byte. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  closed = false;
  readonly #closed: Promise<void>;
  #changed: () => void = () => undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
      this.#changed();
    });
    this.socket.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      const done = (): void => {
        this.closed = true;
        this.socket.destroy();
        this.#changed();
        resolve();
      };
      this.socket.on('end', done);
      this.socket.on('close', done);
    });
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until the received data satisfies a condition or the connection closes. */
  async until(condition: (received: string) => boolean): Promise<string> {
    while (!condition(this.received) && !this.closed) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    return this.received;
  }

  async includes(text: string): Promise<string> {
    const received = await this.until((so) => so.includes(text));
    if (!received.includes(text)) throw new Error(`closed before ${JSON.stringify(text)}: ${JSON.stringify(received)}`);
    return received;
  }

  /** Returns all data received until the server closes the connection. */
  async all(): Promise<string> {
    await this.#closed;
    return this.received;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The automatically detected content type, which most tests ignore. */
const sniffed = /(?<=Server: Sluice\r\n)Content-Type: text\/plain; charset=utf-8\r\n/g;

/** Waits until a listener has the given number of connections. */
export async function hasConnections(count: number, listener: Listener): Promise<void> {
  while (listener.connections !== count) await new Promise((resolve) => setTimeout(resolve, 2));
}

export const letGo = ({ listener }: TestListener): Promise<void> => hasConnections(0, listener);

/** Sends bytes and returns the response without the `Date` header. The server must close the connection. */
export async function exchangeBytes(port: number, text: string): Promise<string> {
  return withoutDate(await new RawClient(port).send(text).all());
}

export function withoutDate(text: string): string {
  return text.replaceAll(/Date: [^\r]*\r\n/g, '').replaceAll(sniffed, '');
}

export interface ParsedResponse {
  readonly status: number;
  readonly lines: readonly string[];
  readonly body: string;
}

/** Parses a single response. Everything after the head counts as the body. */
export function parseResponse(text: string): ParsedResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  return { status: Number(statusLine.slice(9, 12)), lines, body: text.slice(end + 4) };
}
