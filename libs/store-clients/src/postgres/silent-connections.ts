/**
 * Connections whose statement a server has taken and not responded to in time. It goes on with it, such as while it waits for a standby, whether
 * the connection is there or not; who connects once more for each attempt takes all connections that a server has.
 */
import type { PoolClient } from 'pg';
import { guarded, taskOf } from '@sluice/base';

const owner = taskOf('sluice.store-clients');

/** Those of one user, by the endpoint. */
export class SilentConnections {
  readonly #held = new Map<string, Set<PoolClient>>();

  /** How many of an endpoint there are. */
  count(endpoint: string): number {
    return this.#held.get(endpoint)?.size ?? 0;
  }

  /** Keeps one until its server responds, or is gone. */
  hold(endpoint: string, client: PoolClient): void {
    const held = this.#held.get(endpoint) ?? new Set();
    this.#held.set(endpoint, held.add(client));
    const end = guarded(owner, () => this.#end(held, client));
    client.once('drain', end);
    client.once('end', end);
  }

  close(): void {
    for (const held of this.#held.values()) for (const client of held) this.#end(held, client);
  }

  #end(held: Set<PoolClient>, client: PoolClient): void {
    if (held.delete(client)) client.release(true);
  }
}

/** Whether a server has taken a statement and not responded to it in time, as the library says it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
