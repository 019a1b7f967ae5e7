/** Refuses connections when only reserved file descriptors are left. These are needed by requests in flight. */
import type { Socket } from 'node:net';
import type { Logger } from '@sluice/base';

const reportInterval = 10_000;

/** Refuses connections of one listener when file descriptors run low. */
export class Refusals {
  readonly #log: Logger;
  #refused = 0;
  #nextReport = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Closes a connection, and periodically logs the number of refused connections. */
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
