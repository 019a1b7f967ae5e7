/**
 * The listening sockets of a thread: those that it has open, and those that it takes over, from the process before or from
 * a thread that is gone, so that no connection is refused. A socket that is taken over keeps its queue of connections:
 * whoever accepts next gets them.
 */
import { createServer, type Server } from 'node:net';
import { closeDescriptor, closeOnExec, duplicateDescriptor } from '../process/system-calls.ts';

/** Descriptors by what listens on them, such as `tcp/[::]:443`: the threads of a process each have a socket of their own. */
export type SocketDescriptors = readonly (readonly [key: string, descriptor: number])[];

/** A socket that a thread has opened. */
export interface OpenedSocket {
  /** Unique in its thread. */
  readonly id: number;
  readonly key: string;
  readonly descriptor: number;
  /** The kept descriptor that it was taken over from; -1 if it is new. */
  readonly kept: number;
  /** Node does not know the descriptor: it stays open if the thread dies. */
  readonly raw: boolean;
}

/** A socket that Node does not know. */
export interface RawSocket {
  readonly descriptor: number;
}

/** Is told of the sockets of a thread. */
export interface SocketWatch {
  opened(socket: OpenedSocket): void;
  closed(id: number): void;
  /** No configuration of this thread wants these kept descriptors. */
  unused(descriptors: readonly number[]): void;
}

/** Keeps the listening sockets of one thread. */
export class ListenSockets {
  /**
   * How long WebSockets and other tunnels may go on when their configuration is dropped, in milliseconds: more than 0 when
   * another process has taken over, Infinity for as long as they want.
   */
  streamTime = 0;
  /** Is told of what is opened and closed from now on. */
  watch: SocketWatch | null = null;
  readonly #inherited: Map<string, number[]> = new Map();
  readonly #open: Map<Server | RawSocket, { readonly id: number; readonly key: string }> = new Map();
  /** Whether what was inherited belongs to the control thread, which keeps it open for the next thread. */
  readonly #kept: boolean;
  #lastId = 0;
  #handedOver = false;

  constructor(inherited: SocketDescriptors = [], kept = false) {
    this.#kept = kept;
    for (const [key, descriptor] of inherited) {
      closeOnExec(descriptor);
      this.#add(key, descriptor);
    }
  }

  #add(key: string, descriptor: number): void {
    this.#inherited.set(key, [...(this.#inherited.get(key) ?? []), descriptor]);
  }

  /** The sockets to take over for an address. The caller passes each to {@link own} or {@link giveBack}. */
  take(key: string): readonly number[] {
    const descriptors = this.#inherited.get(key) ?? [];
    this.#inherited.delete(key);
    return descriptors;
  }

  /** The descriptor to listen on for one that was taken: the caller closes it. */
  own(descriptor: number): number {
    return this.#kept ? (duplicateDescriptor(descriptor) ?? descriptor) : descriptor;
  }

  /** The caller does not listen on a descriptor that it took. */
  giveBack(key: string, descriptor: number): void {
    if (this.#kept) this.#add(key, descriptor);
    else closeDescriptor(descriptor);
  }

  /** Closes what the configuration did not take. Called when the first one is in force. */
  discard(): void {
    const unused = [...this.#inherited.values()].flat();
    this.#inherited.clear();
    if (unused.length === 0) return;
    if (this.#kept) {
      this.watch?.unused(unused);
      return;
    }
    for (const fd of unused) {
      if (closeDescriptor(fd)) continue;
      const server = createServer();
      server.on('error', () => undefined);
      server.listen({ fd }, () => server.close());
    }
  }

  /** A server listens; `taken` is what it was taken over as, -1 if it is new. */
  opened(server: Server | RawSocket, key: string, taken = -1): void {
    const id = ++this.#lastId;
    this.#open.set(server, { id, key });
    const descriptor = descriptorOf(server);
    if (descriptor >= 0) {
      const raw = 'descriptor' in server;
      this.watch?.opened({ id, key, descriptor, kept: this.#kept ? taken : -1, raw });
    }
  }

  /** Hands a descriptor over to the next process, which the control thread does not keep. */
  share(socket: RawSocket, key: string): void {
    this.#open.set(socket, { id: -1, key });
  }

  /** The keys of what is there to take over. */
  get keys(): readonly string[] {
    return [...this.#inherited.keys()];
  }

  /** A server no longer listens. */
  closed(server: Server | RawSocket): void {
    const open = this.#open.get(server);
    if (open === undefined) return;
    this.#open.delete(server);
    if (open.id >= 0) this.watch?.closed(open.id);
  }

  /** What is open now. Empty where descriptors have no numbers, as on Windows. */
  get descriptors(): SocketDescriptors {
    return [...this.#open].flatMap(([server, { key }]) => {
      const fd = descriptorOf(server);
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

function descriptorOf(server: Server | RawSocket): number {
  if ('descriptor' in server) return server.descriptor;
  const { _handle: handle } = server as Server & { readonly _handle?: { readonly fd?: number } | null };
  return handle?.fd ?? -1;
}
