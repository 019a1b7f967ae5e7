/** Temporary servers for ACME challenges, used if no configured server listens on the port. */
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Error codes that mean that the port is in use or that binding is not permitted. */
const notOurs: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL']);

interface Shared<E> {
  readonly entries: Map<string, E>;
  /** Resolves once the server listens. The result is a function that closes the server. */
  readonly opened: Promise<() => Promise<void>>;
  users: number;
}

export interface ServedChallenge<E> {
  readonly host: string | null;
  readonly port: number;
  readonly name: string;
  readonly entry: E;
}

/** Temporary challenge servers by address, shared by concurrent challenges. `E` is the type of a challenge's data. */
export class ChallengeListeners<E> {
  readonly #make: (entries: ReadonlyMap<string, E>) => Server;
  readonly #byAddress = new Map<string, Shared<E>>();

  /** `make` creates a server that responds based on the current challenges. */
  constructor(make: (entries: ReadonlyMap<string, E>) => Server) {
    this.#make = make;
  }

  /**
   * Serves a challenge until the returned function is called. A port that is in use is not an error. In this case, a configured server
   * responds, or another server forwards the requests.
   */
  async serve(host: string | null, port: number, name: string, entry: E): Promise<() => Promise<void>> {
    const address = `${host ?? ''} ${port}`;
    const shared = this.#byAddress.get(address) ?? this.#open(address, host, port);
    shared.users++;
    shared.entries.set(name, entry);
    const leave = async (): Promise<void> => {
      shared.entries.delete(name);
      if (--shared.users > 0) return;
      this.#byAddress.delete(address);
      await (
        await shared.opened
      )();
    };
    try {
      await shared.opened;
    } catch (error) {
      await leave().catch(() => {});
      throw error;
    }
    return leave;
  }

  /**
   * Serves a challenge that the configured servers also serve. `takeDown` removes the challenge from the configured servers, at the end or
   * on failure.
   */
  async serveWithBoard(
    takeDown: () => Promise<void>,
    { host, port, name, entry }: ServedChallenge<E>,
  ): Promise<() => Promise<void>> {
    try {
      const close = await this.serve(host, port, name, entry);
      return async () => {
        await close();
        await takeDown();
      };
    } catch (error) {
      await takeDown();
      throw error;
    }
  }

  #open(address: string, host: string | null, port: number): Shared<E> {
    const entries = new Map<string, E>();
    const shared: Shared<E> = { entries, opened: listenIfFree(this.#make(entries), host, port), users: 0 };
    this.#byAddress.set(address, shared);
    return shared;
  }
}

async function listenIfFree(server: Server, host: string | null, port: number): Promise<() => Promise<void>> {
  try {
    server.listen({ port, ...(host !== null && { host }) });
    await once(server, 'listening');
  } catch (error) {
    if (notOurs.has((error as NodeJS.ErrnoException).code)) return () => Promise.resolve();
    throw error;
  }
  server.unref();
  return async () => {
    const closed = once(server, 'close');
    server.close();
    if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
    await closed;
  };
}
