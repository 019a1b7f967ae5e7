/** All layer 4 connections of a thread. Connections survive configuration changes unless a change removes the app. */
import { setTimeout as after } from 'node:timers';
import { guarded, maxTimer, taskOf, type ListenSockets } from '@sluice/base';
import type { Pooled } from '@sluice/registry';

/** A connection, as required by the connection table. */
export interface TabledConnection {
  cut(): void;
}

/** Table of layer 4 connections. A pooled resource shared by all servers that accept connections. */
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

  /** Closes all connections once no configuration contains the app. After a server upgrade, connections close after a delay. */
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
