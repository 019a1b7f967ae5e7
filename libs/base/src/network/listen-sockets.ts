/**
 * The listening sockets of a thread: those that it has open, and those that the process before has handed over, so that a
 * newer version of the program takes over without a connection that is refused. A socket that is handed over keeps its
 * queue of connections: whichever process accepts next gets them.
 */
import { createServer, type Server } from 'node:net';
import { closeOnExec } from '../process/system-calls.ts';

/** Descriptors by what listens on them, such as `tcp/[::]:443`: the threads of a process each have a socket of their own. */
export type SocketDescriptors = readonly (readonly [key: string, descriptor: number])[];

/** Keeps the listening sockets of one thread. */
export class ListenSockets {
  readonly #inherited: Map<string, number[]> = new Map();
  readonly #open: Map<Server, string> = new Map();
  #handedOver = false;

  constructor(inherited: SocketDescriptors = []) {
    for (const [key, descriptor] of inherited) {
      closeOnExec(descriptor);
      this.#inherited.set(key, [...(this.#inherited.get(key) ?? []), descriptor]);
    }
  }

  /** The sockets that were handed over for an address. They belong to the caller, who listens on all of them. */
  take(key: string): readonly number[] {
    const descriptors = this.#inherited.get(key) ?? [];
    this.#inherited.delete(key);
    return descriptors;
  }

  /** Closes what the configuration did not take. Called when the first one is in force. */
  discard(): void {
    for (const descriptors of this.#inherited.values())
      for (const fd of descriptors) {
        const server = createServer();
        server.on('error', () => undefined);
        server.listen({ fd }, () => server.close());
      }
    this.#inherited.clear();
  }

  /** A server listens. */
  opened(server: Server, key: string): void {
    this.#open.set(server, key);
  }

  /** A server no longer listens. */
  closed(server: Server): void {
    this.#open.delete(server);
  }

  /** What is open now. Empty where descriptors have no numbers, as on Windows. */
  get descriptors(): SocketDescriptors {
    return [...this.#open].flatMap(([server, key]) => {
      const { _handle: handle } = server as Server & { readonly _handle?: { readonly fd?: number } | null };
      const fd = handle?.fd ?? -1;
      return fd < 0 ? [] : [[key, fd] as const];
    });
  }

  /** Whether another process listens on these sockets, too: what they have in the file system is that one's. */
  get handedOver(): boolean {
    return this.#handedOver;
  }

  /** From now on another process accepts connections on these sockets. */
  handOver(): void {
    this.#handedOver = true;
  }
}
