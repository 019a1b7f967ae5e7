/** Lines over UDP: one datagram per line. Nobody says whether they arrive, but a machine may say that nobody listens. */
import { createSocket, type Socket } from 'node:dgram';
import { DropReport, messageOf, type LogOutput } from '@sluice/registry';
import type { NetworkOptions } from './options.ts';

/** Longest payload of a datagram over IPv4; a longer line cannot be sent. */
const longest = 65_507;
/** How long lines also go to standard error after it was said that nobody listens, in milliseconds. */
const doubt = 1000;

/** An output over datagrams. */
export class DatagramOutput implements LogOutput {
  readonly #socket: Socket;
  readonly #dropped: DropReport;
  readonly #options: NetworkOptions;
  #refusedUntil = 0;

  private constructor(options: NetworkOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#dropped = new DropReport(options.log, 'for a socket', { address: options.name });
    socket.on('error', (error) => this.#refused(error));
  }

  /** Resolves the address. */
  static async open(options: NetworkOptions): Promise<DatagramOutput> {
    const { network, host, startPort } = options.address;
    const socket = createSocket(network.endsWith('6') || host.includes(':') ? 'udp6' : 'udp4').unref();
    socket.on('error', () => undefined);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.connect(startPort, host || 'localhost', () => {
          socket.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    return new DatagramOutput(options, socket);
  }

  /** What is said to be refused is also written to standard error. */
  write(text: string, lines: number): void {
    if (performance.now() < this.#refusedUntil) this.#options.fallback.write(text, lines);
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf('\n', start);
      const end = feed < 0 ? text.length : feed + 1;
      const bytes = Buffer.from(text.slice(start, end));
      if (bytes.length > longest) this.#dropped.add(1);
      else
        this.#socket.send(bytes, (error) => {
          if (error !== null) this.#refused(error);
        });
      start = end;
    }
  }

  /** The line that this is about is gone: it is known as one that was dropped. */
  #refused(error: Error): void {
    this.#dropped.add(1);
    if (performance.now() >= this.#refusedUntil) {
      const { log, name } = this.#options;
      log.warn('a log socket is refused: lines go to standard error', { address: name, error: messageOf(error) });
    }
    this.#refusedUntil = performance.now() + doubt;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
    this.#dropped.say();
    await this.#options.fallback.close();
  }
}
