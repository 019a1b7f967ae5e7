/** Log output over UDP, with one datagram per line. UDP does not confirm delivery, but a host may report that a port is closed. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { DropReport } from '@sluice/telemetry';
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';
import type { NetworkOptions } from './options.ts';

const task = taskOf('caddy.logging.writers.net');

/** Maximum payload of an IPv4 datagram, in bytes. Longer lines cannot be sent. */
const maxSize = 65_507;
/** After the port is reported as closed, lines are also written to standard error for this time, in milliseconds. */
const doubt = 1000;

/** Interval between attempts to resolve the address, in milliseconds. */
const pause = 5000;

export class DatagramOutput implements LogOutput {
  readonly #dropped: DropReport;
  readonly #options: NetworkOptions;
  /** UDP socket, or `null` until the address has been resolved. */
  #socket: Socket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #refusedUntil = 0;
  #closed = false;

  private constructor(options: NetworkOptions) {
    this.#options = options;
    this.#dropped = new DropReport(options.log, 'for a socket', { address: options.name });
  }

  /** Resolves the address and opens the output. If the address cannot be resolved, fails unless soft start is enabled. */
  static async open(options: NetworkOptions): Promise<DatagramOutput> {
    const output = new DatagramOutput(options);
    try {
      await output.#connect();
    } catch (error) {
      if (!options.soft) throw error;
      options.log.warn('log socket is not reachable yet', { address: options.name, error });
      output.#later();
    }
    return output;
  }

  async #connect(): Promise<void> {
    const { network, host, startPort } = this.#options.address;
    const socket = createSocket(network.endsWith('6') || host.includes(':') ? 'udp6' : 'udp4').unref();
    socket.on('error', () => undefined);
    try {
      // Connect without a callback. A callback would receive the error, and the error event would not be emitted.
      socket.connect(startPort, host || 'localhost');
      await once(socket, 'connect');
    } catch (error) {
      socket.close();
      throw error;
    }
    if (this.#closed) {
      socket.close();
      return;
    }
    socket.on(
      'error',
      guarded(task, (error: Error) => this.#refused(error)),
    );
    this.#socket = socket;
  }

  #later(): void {
    const connect = (): void => {
      this.#timer = null;
      unawaited(
        task,
        this.#connect().catch(() => {
          if (!this.#closed) this.#later();
        }),
      );
    };
    this.#timer = setTimeout(guarded(task, connect), pause).unref();
  }

  /** Sends lines. While the port is reported as closed, also writes them to standard error. */
  write(text: string, lines: number): void {
    const socket = this.#socket;
    if (socket === null || performance.now() < this.#refusedUntil) this.#options.fallback.write(text, lines);
    if (socket === null) return;
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf('\n', start);
      const end = feed < 0 ? text.length : feed + 1;
      const bytes = Buffer.from(text.slice(start, end));
      if (bytes.length > maxSize) this.#dropped.add(1);
      else
        socket.send(bytes, (error) => {
          if (error !== null) this.#refused(error);
        });
      start = end;
    }
  }

  /** Handles a closed port. The affected line is lost and counted as dropped. */
  #refused(error: Error): void {
    this.#dropped.add(1);
    if (performance.now() >= this.#refusedUntil) {
      const { log, name } = this.#options;
      log.warn('log socket refused the connection; writing to standard error', { address: name, error });
    }
    this.#refusedUntil = performance.now() + doubt;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket !== null) await new Promise<void>((resolve) => socket.close(resolve));
    this.#dropped.say();
    await this.#options.fallback.close();
  }
}
