/** Lines over UDP: one datagram per line. Nobody says whether they arrive. */
import { createSocket, type Socket } from 'node:dgram';
import { DropReport, type LogOutput } from '@sluice/registry';
import type { NetworkOptions } from './options.ts';

/** Longest payload of a datagram over IPv4; a longer line cannot be sent. */
const longest = 65_507;

/** An output over datagrams. */
export class DatagramOutput implements LogOutput {
  readonly #socket: Socket;
  readonly #dropped: DropReport;
  readonly #options: NetworkOptions;

  private constructor(options: NetworkOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#dropped = new DropReport(options.log, 'for a socket', { address: options.name });
  }

  /** Resolves the address. */
  static async open(options: NetworkOptions): Promise<DatagramOutput> {
    const { network, host, startPort } = options.address;
    const socket = createSocket(network.endsWith('6') || host.includes(':') ? 'udp6' : 'udp4').unref();
    socket.on('error', () => undefined);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.connect(startPort, host || 'localhost', resolve);
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    return new DatagramOutput(options, socket);
  }

  write(text: string): void {
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf('\n', start);
      const end = feed < 0 ? text.length : feed + 1;
      const bytes = Buffer.from(text.slice(start, end));
      if (bytes.length > longest) this.#dropped.add(1);
      else this.#socket.send(bytes, (error) => this.#dropped.add(error === null ? 0 : 1));
      start = end;
    }
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
    this.#dropped.say();
    await this.#options.fallback.close();
  }
}
