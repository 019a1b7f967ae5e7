/** Log output over TCP or a Unix socket. Reconnects automatically. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { DropReport } from '@sluice/telemetry';
import { guarded, isUnixNetwork, messageOf, taskOf, unawaited, unixSocketPath } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';
import { Backlog } from './backlog.ts';
import type { NetworkOptions } from './options.ts';

const task = taskOf('caddy.logging.writers.net');

/** Maximum size of the queue for a disconnected or slow peer, in bytes. Lines beyond this limit are dropped and counted. */
const maxQueued = 8 * 1024 * 1024;
/** Maximum amount of unsent data in the socket, in bytes. */
const maxInSocket = 1024 * 1024;
/** Initial and maximum reconnection delay, in milliseconds. */
const firstDelay = 100;
const maxDelay = 10_000;
/** Maximum time to send the last lines when the output is closed, in milliseconds. */
const flushTimeout = 1000;

export class StreamOutput implements LogOutput {
  readonly #options: NetworkOptions;
  readonly #dropped: DropReport;
  readonly #backlog = new Backlog(maxQueued);
  #socket: Socket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #delay = firstDelay;
  #closed = false;

  private constructor(options: NetworkOptions) {
    this.#options = options;
    this.#dropped = new DropReport(options.log, 'for a socket', { address: options.name });
  }

  /** Connects to the peer. If the connection fails, throws unless soft start is enabled. */
  static async open(options: NetworkOptions): Promise<StreamOutput> {
    const output = new StreamOutput(options);
    try {
      await output.#connect();
    } catch (error) {
      if (!options.soft) {
        output.#closed = true;
        throw error;
      }
      options.log.warn('log socket is not reachable yet', { address: options.name, error });
      output.#later();
    }
    return output;
  }

  /** Sends lines. While disconnected, writes them to standard error and also queues them for the peer. */
  write(text: string, lines: number): void {
    if (!this.#backlog.add(text, lines)) this.#dropped.add(lines);
    if (this.#socket === null) this.#options.fallback.write(text, lines);
    else this.#send(this.#socket);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket !== null) {
      this.#backlog.send((text) => socket.write(text), performance.now());
      socket.end();
      await Promise.race([
        once(socket, 'close').catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, flushTimeout).unref()),
      ]);
      socket.destroy();
    } else this.#dropped.add(this.#backlog.waitingLines);
    this.#dropped.say();
    await this.#options.fallback.close();
  }

  #send(socket: Socket): void {
    const now = performance.now();
    if (socket.writableLength <= maxInSocket) this.#backlog.send((text) => socket.write(text), now);
    if (this.#isLooking) return;
    this.#isLooking = true;
    // When this callback runs, the event loop has polled the sockets and detected any disconnect.
    setImmediate(
      guarded(task, () => {
        this.#isLooking = false;
        if (this.#socket === socket) this.#backlog.settle(now, socket.writableLength);
      }),
    ).unref();
  }

  async #connect(): Promise<void> {
    const { address, timeout } = this.#options;
    const socket = isUnixNetwork(address.network)
      ? createConnection(unixSocketPath(address))
      : createConnection(address.startPort, address.host || 'localhost');
    const timer = setTimeout(() => socket.destroy(new Error(`timed out after ${timeout} ms`)), timeout);
    try {
      await once(socket, 'connect');
    } finally {
      clearTimeout(timer);
    }
    if (this.#closed) {
      socket.destroy();
      return;
    }
    this.#socket = socket.unref();
    this.#delay = firstDelay;
    let reason: Error | null = null;
    socket
      .on('error', (error) => (reason = error))
      .on('data', () => undefined)
      .on(
        'end',
        guarded(task, () => this.#lose(socket, reason)),
      )
      .on(
        'close',
        guarded(task, () => this.#lose(socket, reason)),
      )
      .on(
        'drain',
        guarded(task, () => this.#send(socket)),
      );
    this.#send(socket);
  }

  #lose(socket: Socket, reason: Error | null): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#backlog.requeue(socket.writableLength, reason === null ? 'late' : 'unread');
    socket.destroy();
    if (this.#closed) return;
    const error = reason === null ? 'closed by peer' : messageOf(reason);
    this.#options.log.warn('log socket disconnected; writing to standard error', {
      address: this.#options.name,
      error,
    });
    this.#later();
  }

  #later(): void {
    const connect = (): void =>
      unawaited(
        task,
        this.#connect().catch(() => {
          if (!this.#closed) this.#later();
        }),
      );
    this.#timer = setTimeout(guarded(task, connect), this.#delay).unref();
    this.#delay = Math.min(maxDelay, this.#delay * 2);
  }
}
