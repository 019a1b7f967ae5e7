/** Lines over a socket. What cannot be sent now is kept up to a bound, then goes to standard error. */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import {
  isDatagramNetwork,
  isUnixNetwork,
  messageOf,
  unixSocketPath,
  type Logger,
  type LogOutput,
  type NetworkAddress,
} from '@sluice/registry';
import { descriptorOutput } from '../common/descriptor-output.ts';

/** How a socket is opened. */
export interface NetworkOptions {
  readonly address: NetworkAddress;
  /** Milliseconds. */
  readonly timeout: number;
  /** Not reaching the address at first is no error. */
  readonly soft: boolean;
  readonly log: Logger;
}

/** Text that may wait for a slow or absent peer. */
const maxPending = 8 * 1024 * 1024;
const retryMs = 1000;

/** An output over TCP, UDP or a Unix socket. */
export class NetworkOutput implements LogOutput {
  readonly #options: NetworkOptions;
  readonly #fallback = descriptorOutput(2);
  #socket: Socket | null = null;
  #datagrams: DatagramSocket | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  private constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Connects; a failure is an error unless the start is soft. */
  static async open(options: NetworkOptions): Promise<NetworkOutput> {
    const output = new NetworkOutput(options);
    if (isDatagramNetwork(options.address.network)) {
      output.#datagrams = createSocket(
        options.address.network.endsWith('6') || options.address.host.includes(':') ? 'udp6' : 'udp4',
      ).unref();
      output.#datagrams.on('error', () => undefined);
      return output;
    }
    try {
      await output.#connect();
    } catch (error) {
      if (!options.soft) throw error;
      output.#later();
    }
    return output;
  }

  write(line: string): void {
    const { address } = this.#options;
    if (this.#datagrams !== null) {
      this.#datagrams.send(line, address.startPort, address.host || 'localhost', () => undefined);
      return;
    }
    if (this.#socket === null || this.#socket.writableLength > maxPending) this.#fallback.write(line);
    else this.#socket.write(line);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#datagrams?.close();
    const socket = this.#socket;
    if (socket === null) return;
    socket.end();
    await Promise.race([
      once(socket, 'close').catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, retryMs).unref()),
    ]);
    socket.destroy();
  }

  async #connect(): Promise<void> {
    const { address, timeout } = this.#options;
    const socket = isUnixNetwork(address.network)
      ? createConnection(unixSocketPath(address))
      : createConnection(address.startPort, address.host || 'localhost');
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeout} ms`)), timeout);
    try {
      await once(socket, 'connect');
    } finally {
      clearTimeout(timer);
    }
    this.#socket = socket.unref();
    socket.on('error', (error) => this.#options.log.warn('a log socket failed', { error: messageOf(error) }));
    socket
      .on('data', () => undefined)
      .on('close', () => {
        this.#socket = null;
        if (!this.#closed) this.#later();
      });
  }

  #later(): void {
    this.#retry = setTimeout(() => {
      this.#connect().catch(() => {
        if (!this.#closed) this.#later();
      });
    }, retryMs).unref();
  }
}
