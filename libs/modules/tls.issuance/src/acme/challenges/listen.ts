/** Listening for the time of challenges, where no server of the configuration does. */
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Ports that are not ours to take: a server of the configuration has them, or this process may not. */
const notOurs: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL']);

interface Shared<E> {
  readonly entries: Map<string, E>;
  /** Ends it once it listens. */
  readonly opened: Promise<() => Promise<void>>;
  users: number;
}

/** Where a challenge is served, and what for. */
export interface ServedChallenge<E> {
  readonly host: string | null;
  readonly port: number;
  readonly name: string;
  readonly entry: E;
}

/** Servers by address, each shared by the challenges that are under way. `E` is what a server knows of one challenge. */
export class ChallengeListeners<E> {
  readonly #make: (entries: ReadonlyMap<string, E>) => Server;
  readonly #byAddress = new Map<string, Shared<E>>();

  /** `make` makes a server that responds from the entries as they are when it is asked. */
  constructor(make: (entries: ReadonlyMap<string, E>) => Server) {
    this.#make = make;
  }

  /**
   * Responds to a challenge until what it returns is called. A port that is taken is well: then it is one of our servers, which
   * knows the challenge from the board, or another that leads to it.
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

  /** Serves a challenge that the board serves too. `takeDown` takes it from there: afterwards, or where this fails. */
  async serveBeside(
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
