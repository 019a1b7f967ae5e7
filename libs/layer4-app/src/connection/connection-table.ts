/** All connections of a thread. Connections survive configuration changes, unless a change removes the app. */
import { setTimeout as after } from 'node:timers';
import { guarded, maxTimer, taskOf, type ListenSockets } from '@sluice/base';
import type { Pooled } from '@sluice/registry';

/** A connection, as seen by the table. */
export interface TabledConnection {
  cut(): void;
}

/** The connections; a pooled resource of all that accept some. */
export class ConnectionTable implements Pooled {
  readonly #connections = new Set<TabledConnection>();
  readonly #sockets: ListenSockets | undefined;
  #timer: NodeJS.Timeout | null = null;

  constructor(sockets: ListenSockets | undefined) {
    this.#sockets = sockets;
  }

  add(connection: TabledConnection): void {
    this.#connections.add(connection);
  }

  delete(connection: TabledConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0 && this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Called when no configuration contains the app anymore. Closes all connections; after an upgrade of the server, with a delay. */
  retire(): void {
    const time = this.#sockets?.handedOver === true ? this.#sockets.streamTime : 0;
    if (time === 0) this.#cut();
    else if (time < Number.POSITIVE_INFINITY)
      this.#timer = after(
        guarded(taskOf('layer4'), () => this.#cut()),
        Math.min(time, maxTimer),
      ).unref();
  }

  close(): void {
    this.#cut();
  }

  #cut(): void {
    for (const connection of [...this.#connections]) connection.cut();
  }
}
