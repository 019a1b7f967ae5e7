/**
 * Duplicates of the workers' listening sockets, which the control thread keeps open. Without them, a worker's exit would lose the
 * connections in its accept queue. The exit of the last worker would also release the address. Another worker accepts connections on these
 * sockets until the replacement worker does.
 */
import { fstatSync } from 'node:fs';
import {
  closeDescriptor,
  duplicateDescriptor,
  type OpenedSocket,
  type PollSets,
  type SocketDescriptors,
} from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import { closePolled } from './polled-connections.ts';
import { connectionsPolled, endStandIn, socketClosed, socketOpened, socketsUnused, standIn } from './shared-sockets.ts';

interface Kept {
  readonly key: string;
  /** Duplicate file descriptor, owned by the control thread. */
  readonly descriptor: number;
  /** The worker's own descriptor if it stays open when the thread dies, otherwise -1. */
  readonly raw: number;
}

/** Keeps the listening sockets of all workers open. Has no effect if descriptors cannot be duplicated. */
export class KeptSockets {
  readonly #bus: ThreadBus;
  /** Sockets, keyed by thread and then by the ID that the thread assigned. */
  readonly #open = new Map<number, Map<number, Kept>>();
  /** Sockets of threads that have died, keyed by thread. */
  readonly #orphans = new Map<number, Kept[]>();
  /** Unresponsive workers. Other workers accept connections on their behalf. */
  readonly #silent = new Set<number>();
  /** Epoll sets of workers. The connections in a set stay open when its worker dies. */
  readonly #polled = new Map<number, PollSets>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onReport(socketOpened, (socket, thread) => this.#opened(thread, socket));
    bus.onReport(socketClosed, (id, thread) => this.#closed(thread, id));
    bus.onReport(connectionsPolled, (sets, thread) => this.#polled.set(thread, sets));
    bus.onReport(socketsUnused, (descriptors, thread) => this.#discard(thread, descriptors));
  }

  /** Returns the sockets of a thread that has died, so that the replacement thread can use them. */
  orphansOf(thread: number): SocketDescriptors {
    return (this.#orphans.get(thread) ?? []).map(({ key, descriptor }) => [key, descriptor] as const);
  }

  /** Called when a worker is unresponsive. The thread `by` then accepts connections on the worker's sockets. */
  silent(thread: number, by: number): void {
    this.#silent.add(thread);
    this.#standIn([...(this.#open.get(thread)?.values() ?? [])], by);
  }

  /** Called when a worker is responsive again. */
  reacts(thread: number): void {
    if (!this.#silent.delete(thread)) return;
    this.#endStandIn([...(this.#open.get(thread)?.values() ?? [])].map(({ descriptor }) => descriptor));
  }

  /** Called when a thread has exited. The thread `by` then accepts connections on the exited thread's sockets. -1 means no thread. */
  lost(thread: number, by: number): void {
    const open = [...(this.#open.get(thread)?.values() ?? [])];
    for (const { descriptor, raw } of open) if (raw >= 0 && isSameFile(descriptor, raw)) closeDescriptor(raw);
    this.#open.delete(thread);
    const sets = this.#polled.get(thread);
    if (sets !== undefined) closePolled(sets);
    this.#polled.delete(thread);
    this.#orphans.set(thread, [...(this.#orphans.get(thread) ?? []), ...open]);
    this.#silent.delete(thread);
    // Include all orphaned sockets, because the thread that died may have accepted connections on behalf of other threads.
    this.#standIn([...this.#orphans.values()].flat(), by);
  }

  #standIn(kept: readonly Kept[], by: number): void {
    if (by < 0 || kept.length === 0) return;
    this.#bus.broadcast(standIn, { by, sockets: kept.map(({ key, descriptor }) => [key, descriptor] as const) });
  }

  #endStandIn(descriptors: readonly number[]): void {
    if (descriptors.length > 0) this.#bus.broadcast(endStandIn, { descriptors });
  }

  #opened(thread: number, { id, key, descriptor, kept, raw }: OpenedSocket): void {
    const known = this.#take(thread, kept);
    const own = known ? kept : (duplicateDescriptor(descriptor) ?? -1);
    if (own < 0) return;
    if (known) this.#endStandIn([kept]);
    let open = this.#open.get(thread);
    if (open === undefined) this.#open.set(thread, (open = new Map()));
    open.set(id, { key, descriptor: own, raw: raw ? descriptor : -1 });
  }

  #closed(thread: number, id: number): void {
    const kept = this.#open.get(thread)?.get(id);
    if (kept === undefined) return;
    this.#open.get(thread)?.delete(id);
    if (this.#silent.has(thread)) this.#endStandIn([kept.descriptor]);
    closeDescriptor(kept.descriptor);
  }

  #discard(thread: number, descriptors: readonly number[]): void {
    for (const descriptor of descriptors) {
      if (!this.#take(thread, descriptor)) continue;
      this.#endStandIn([descriptor]);
      closeDescriptor(descriptor);
    }
  }

  /** Removes an orphaned socket of a thread. Returns false if the thread has no such socket. */
  #take(thread: number, descriptor: number): boolean {
    const orphans = this.#orphans.get(thread) ?? [];
    const rest = orphans.filter((kept) => kept.descriptor !== descriptor);
    if (rest.length === orphans.length) return false;
    this.#orphans.set(thread, rest);
    return true;
  }
}

/** Reports whether two descriptors refer to the same file. If the thread has closed its descriptor, the number may refer to another file. */
function isSameFile(one: number, other: number): boolean {
  try {
    return fstatSync(one).ino === fstatSync(other).ino;
  } catch {
    return false;
  }
}
