/** Reports of connections that are refused, because the last descriptors are for requests in flight. */
import type { Socket } from 'node:net';
import type { Logger } from '@sluice/base';

/** Milliseconds between two reports. */
const reportInterval = 10_000;

/** Refuses connections of one listener. */
export class Refusals {
  readonly #log: Logger;
  #refused = 0;
  #nextReport = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Closes a connection, and occasionally reports the number of closed connections. */
  refuse(socket: Socket, connections: number): void {
    socket.on('error', () => undefined);
    socket.destroy();
    this.#refused++;
    const now = performance.now();
    if (now < this.#nextReport) return;
    this.#nextReport = now + reportInterval;
    this.#log.error('refusing connections: too few file descriptors; raise the open file limit', {
      connections,
      refused: this.#refused,
    });
  }
}
