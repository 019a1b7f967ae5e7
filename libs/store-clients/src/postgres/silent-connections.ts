/**
 * Connections whose statement timed out. The server continues to execute the statement even after a disconnect, for example while it waits
 * for a standby.
 *
 * Opening a new connection for each attempt would exhaust the server's connections.
 */
import type { PoolClient } from 'pg';
import { guarded, taskOf } from '@sluice/base';

const owner = taskOf('sluice.store-clients');

/** Timed-out connections of one user, by endpoint. */
export class SilentConnections {
  readonly #held = new Map<string, Set<PoolClient>>();

  /** Returns the number of timed-out connections to an endpoint. */
  count(endpoint: string): number {
    return this.#held.get(endpoint)?.size ?? 0;
  }

  /** Keeps a timed-out connection until the server responds or disconnects. */
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

/** Reports whether an error from the `pg` library means that a statement timed out. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
