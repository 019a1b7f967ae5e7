/** Upstream connections through a forward proxy: HTTP CONNECT (RFC 9110 §9.3.6) or SOCKS 5 (RFC 1928, RFC 1929). */
import { isIP, type Socket } from 'node:net';
import { SluiceError, parseIPv4, parseIPv6 } from '@sluice/base';
import { dialAddress, UpstreamError, type DialAddress } from '@sluice/http-app';
import type { ForwardProxy } from './settings.ts';

const defaultPorts = { http: 80, https: 443, socks5: 1080, socks5h: 1080 } as const;

/**
 * Parses a forward proxy URL, such as `http://user:password@proxy:3128`, `https://…` or `socks5://…`. Throws an error that describes the
 * problem.
 */
export function parseForwardProxy(text: string): ForwardProxy {
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'socks5' && scheme !== 'socks5h')
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(scheme)} is not a supported proxy type; use http, https or socks5`,
    );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? defaultPorts[scheme] : Number(url.port);
  const credentials =
    url.username === '' ? '' : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { scheme, address: dialAddress('tcp', host, port), credentials };
}

/** Returns the `Basic …` credentials for a forward proxy. Empty if the proxy requires no authentication. */
export function proxyAuthorization(proxy: ForwardProxy): string {
  return proxy.credentials === '' ? '' : `Basic ${Buffer.from(proxy.credentials).toString('base64')}`;
}

/** Reports whether request targets must be absolute URLs. An HTTP proxy requires this for upstreams without TLS. */
export function sendsAbsoluteTargets(proxy: ForwardProxy, secure: boolean): boolean {
  return !secure && (proxy.scheme === 'http' || proxy.scheme === 'https');
}

/** Performs the handshake with a forward proxy, which then relays the connection to the upstream. */
export async function throughProxy(
  socket: Socket,
  proxy: ForwardProxy,
  address: DialAddress,
  secure: boolean,
): Promise<void> {
  if (sendsAbsoluteTargets(proxy, secure)) return;
  const reader = new Reader(socket);
  try {
    if (proxy.scheme === 'http' || proxy.scheme === 'https') await tunnel(socket, reader, proxy, address);
    else await socks(socket, reader, proxy, address);
  } finally {
    reader.stop();
  }
}

async function tunnel(socket: Socket, reader: Reader, proxy: ForwardProxy, address: DialAddress): Promise<void> {
  const authorization = proxyAuthorization(proxy);
  socket.write(
    `CONNECT ${address.hostPort} HTTP/1.1\r\nHost: ${address.hostPort}\r\n${authorization === '' ? '' : `Proxy-Authorization: ${authorization}\r\n`}\r\n`,
    'latin1',
  );
  const response = await reader.until('\r\n\r\n', 16 * 1024);
  const status = /^HTTP\/1\.\d (\d{3})/.exec(response)?.[1] ?? '';
  if (!status.startsWith('2'))
    throw new UpstreamError(
      'dial',
      `the forward proxy could not connect to ${address.hostPort}: ${response.split('\r\n')[0] ?? ''}`,
    );
}

async function socks(socket: Socket, reader: Reader, proxy: ForwardProxy, address: DialAddress): Promise<void> {
  const password = proxy.credentials !== '';
  socket.write(Buffer.from(password ? [5, 2, 0, 2] : [5, 1, 0]));
  const method = (await reader.bytes(2))[1];
  if (method === 2 && password) {
    const [user = '', secret = ''] = splitOnce(proxy.credentials);
    socket.write(Buffer.concat([Buffer.from([1]), counted(user), counted(secret)]));
    if ((await reader.bytes(2))[1] !== 0) throw new UpstreamError('dial', 'the forward proxy rejected the credentials');
  } else if (method !== 0)
    throw new UpstreamError('dial', 'the forward proxy requires an unsupported authentication method');
  const port = Buffer.alloc(2);
  port.writeUInt16BE(address.port);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(address.host), port]));
  const [, reply, , type] = await reader.bytes(4);
  if (reply !== 0)
    throw new UpstreamError('dial', `the forward proxy could not connect to ${address.hostPort}: SOCKS reply ${reply}`);
  const size = type === 1 ? 4 : type === 4 ? 16 : ((await reader.bytes(1))[0] ?? 0);
  await reader.bytes(size + 2);
}

function socksAddress(host: string): Buffer {
  if (isIP(host) === 4) {
    const address = Buffer.alloc(5, 1);
    address.writeUInt32BE(parseIPv4(host), 1);
    return address;
  }
  const words = new Uint32Array(4);
  if (parseIPv6(host, words)) {
    const address = Buffer.alloc(17, 4);
    for (const [i, word] of words.entries()) address.writeUInt32BE(word, 1 + 4 * i);
    return address;
  }
  return Buffer.concat([Buffer.from([3]), counted(host)]);
}

/** Encodes a string of at most 255 bytes, preceded by its length. */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length & 0xff]), bytes.subarray(0, 255)]);
}

function splitOnce(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** Reads exact numbers of bytes from a socket, and leaves any further bytes in the socket. */
class Reader {
  readonly #socket: Socket;
  #read: Buffer = Buffer.alloc(0);
  /** Function that wakes up the pending read. */
  #resolve: () => void = ignore;
  #error: Error | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#read = Buffer.concat([this.#read, chunk]);
    this.#resolve();
  };

  readonly #onError = (error: Error): void => {
    this.#error ??= error;
    this.#resolve();
  };

  readonly #onClose = (): void => this.#onError(new Error('the forward proxy closed the connection'));

  async bytes(count: number): Promise<Buffer> {
    while (this.#read.length < count) await this.#more();
    return this.#take(count);
  }

  async until(mark: string, limit: number): Promise<string> {
    for (;;) {
      const at = this.#read.indexOf(mark);
      if (at >= 0) return this.#take(at + mark.length).toString('latin1');
      if (this.#read.length > limit)
        throw new UpstreamError('dial', "the forward proxy's response to CONNECT is too long");
      await this.#more();
    }
  }

  /** Stops reading and removes the listeners from the socket. */
  stop(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.off('error', this.#onError);
    this.#socket.off('close', this.#onClose);
    this.#socket.pause();
    if (this.#read.length > 0) this.#socket.unshift(this.#read);
  }

  #take(count: number): Buffer {
    const taken = this.#read.subarray(0, count);
    this.#read = this.#read.subarray(count);
    return taken;
  }

  async #more(): Promise<void> {
    if (this.#error !== null) throw this.#error;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
    });
  }
}

function ignore(): void {}
