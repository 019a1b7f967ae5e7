/**
 * Listening sockets of a thread, including sockets inherited from the previous process or from a thread that died.
 *
 * An inherited socket keeps its accept queue, so no connection is refused.
 */
import { createServer, type Server } from 'node:net';
import { closeDescriptor, closeOnExec, duplicateDescriptor } from '../process/system-calls.ts';

/**
 * File descriptors of listening sockets, by listener key such as `tcp/[::]:443`. Each thread of a process has a separate socket for each
 * key.
 */
export type SocketDescriptors = readonly (readonly [key: string, descriptor: number])[];

export interface OpenedSocket {
  /** Socket ID, unique within the thread. */
  readonly id: number;
  readonly key: string;
  readonly descriptor: number;
  /** Inherited file descriptor of this socket. -1 if the socket is new. */
  readonly kept: number;
  /** True if Node does not manage the file descriptor. Such a descriptor stays open when the thread terminates. */
  readonly raw: boolean;
}

/** A listening socket that Node does not manage. */
export interface RawSocket {
  readonly descriptor: number;
}

/** Descriptors of two epoll sets: one for accepted connections and one for listening sockets. */
export interface PollSets {
  readonly connections: number;
  readonly listeners: number;
}

/** Observes the listening sockets of a thread. */
export interface SocketWatch {
  opened(socket: OpenedSocket): void;
  closed(id: number): void;
  /** Called with the thread's epoll sets. Node does not manage the descriptors of `connections`. May be called again with the same sets. */
  polls(sets: PollSets): void;
  /** Called with inherited file descriptors that the thread's configuration does not use. */
  unused(descriptors: readonly number[]): void;
}

export class ListenSockets {
  /**
   * Maximum time in milliseconds that WebSockets and other tunnels stay open after their configuration is unloaded. Positive after a
   * handover to another process; Infinity means no limit.
   */
  streamTime = 0;
  /** Observer that receives all further changes of the listening sockets. */
  watch: SocketWatch | null = null;
  readonly #inherited: Map<string, number[]> = new Map();
  readonly #open: Map<Server | RawSocket, { readonly id: number; readonly key: string }> = new Map();
  /** True if the control thread owns the inherited file descriptors and keeps them open for the next thread. */
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

  /** Returns the inherited sockets for an address. The caller must pass each socket to {@link own} or {@link giveBack}. */
  take(key: string): readonly number[] {
    const descriptors = this.#inherited.get(key) ?? [];
    this.#inherited.delete(key);
    return descriptors;
  }

  /** Returns the file descriptor to listen on. The caller must close this descriptor. */
  own(descriptor: number): number {
    return this.#kept ? (duplicateDescriptor(descriptor) ?? descriptor) : descriptor;
  }

  /** Gives back a descriptor that the caller took but does not listen on. */
  giveBack(key: string, descriptor: number): void {
    if (this.#kept) this.#add(key, descriptor);
    else closeDescriptor(descriptor);
  }

  /** Closes inherited file descriptors that the configuration does not use. Called when the first configuration becomes active. */
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

  /** Records a server that has started listening. `taken` is the inherited file descriptor, or -1 if the socket is new. */
  opened(server: Server | RawSocket, key: string, taken = -1): void {
    const id = ++this.#lastId;
    this.#open.set(server, { id, key });
    const descriptor = descriptorOf(server);
    if (descriptor >= 0) {
      const raw = 'descriptor' in server;
      this.watch?.opened({ id, key, descriptor, kept: this.#kept ? taken : -1, raw });
    }
  }

  /** Makes a descriptor available to the next process. Needed for descriptors that the control thread does not keep. */
  share(socket: RawSocket, key: string): void {
    this.#open.set(socket, { id: -1, key });
  }

  get keys(): readonly string[] {
    return [...this.#inherited.keys()];
  }

  /** Records that a server stopped listening. */
  closed(server: Server | RawSocket): void {
    const open = this.#open.get(server);
    if (open === undefined) return;
    this.#open.delete(server);
    if (open.id >= 0) this.watch?.closed(open.id);
  }

  /** Returns all open file descriptors. Empty on systems without descriptor numbers, such as Windows. */
  get descriptors(): SocketDescriptors {
    return [...this.#open].flatMap(([server, { key }]) => {
      const fd = descriptorOf(server);
      return fd < 0 ? [] : [[key, fd] as const];
    });
  }

  /** True if another process also listens on this thread's sockets. The other process then owns the Unix socket files. */
  get handedOver(): boolean {
    return this.#handedOver;
  }

  /** Records that another process now accepts connections on the same sockets. */
  handOver(): void {
    this.#handedOver = true;
  }
}

function descriptorOf(server: Server | RawSocket): number {
  if ('descriptor' in server) return server.descriptor;
  const { _handle: handle } = server as Server & { readonly _handle?: { readonly fd?: number } | null };
  return handle?.fd ?? -1;
}
