/**
 * The listening sockets of workers, kept open by the control thread: a worker that ends would take its queue of connections
 * with it, and with the last worker the address. Another worker accepts on them until the replacement does.
 */
import { fstatSync } from 'node:fs';
import { closeDescriptor, duplicateDescriptor, type OpenedSocket, type SocketDescriptors } from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import { endStandIn, socketClosed, socketOpened, socketsUnused, standIn } from './shared-sockets.ts';

interface Kept {
  readonly key: string;
  /** Belongs to the control thread. */
  readonly descriptor: number;
  /** The thread's own descriptor, if it stays open when the thread dies; else -1. */
  readonly raw: number;
}

/** Keeps the sockets of all workers. Where descriptors cannot be duplicated, it keeps none. */
export class KeptSockets {
  readonly #bus: ThreadBus;
  /** By thread, and by the id that it gave. */
  readonly #open = new Map<number, Map<number, Kept>>();
  /** Sockets of threads that are gone, by thread. */
  readonly #orphans = new Map<number, Kept[]>();
  /** Workers that do not react, whose sockets others accept on. */
  readonly #silent = new Set<number>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onReport(socketOpened, (socket, thread) => this.#opened(thread, socket));
    bus.onReport(socketClosed, (id, thread) => this.#closed(thread, id));
    bus.onReport(socketsUnused, (descriptors, thread) => this.#discard(thread, descriptors));
  }

  /** The sockets that a thread left behind, for the one that replaces it. */
  orphansOf(thread: number): SocketDescriptors {
    return (this.#orphans.get(thread) ?? []).map(({ key, descriptor }) => [key, descriptor] as const);
  }

  /** A worker does not react: `by` accepts in its place. */
  silent(thread: number, by: number): void {
    this.#silent.add(thread);
    this.#standIn([...(this.#open.get(thread)?.values() ?? [])], by);
  }

  /** It reacts again. */
  reacts(thread: number): void {
    if (!this.#silent.delete(thread)) return;
    this.#endStandIn([...(this.#open.get(thread)?.values() ?? [])].map(({ descriptor }) => descriptor));
  }

  /** A thread is gone; `by` accepts in its place, -1 if no other one can. */
  lost(thread: number, by: number): void {
    const open = [...(this.#open.get(thread)?.values() ?? [])];
    for (const { descriptor, raw } of open) if (raw >= 0 && isSameFile(descriptor, raw)) closeDescriptor(raw);
    this.#open.delete(thread);
    this.#orphans.set(thread, [...(this.#orphans.get(thread) ?? []), ...open]);
    this.#silent.delete(thread);
    // Those of other threads as well: the one that is gone may have stood in for them.
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

  /** Takes an orphan of a thread out. */
  #take(thread: number, descriptor: number): boolean {
    const orphans = this.#orphans.get(thread) ?? [];
    const rest = orphans.filter((kept) => kept.descriptor !== descriptor);
    if (rest.length === orphans.length) return false;
    this.#orphans.set(thread, rest);
    return true;
  }
}

/** The number of a descriptor that a thread has closed after all may be that of another file. */
function isSameFile(one: number, other: number): boolean {
  try {
    return fstatSync(one).ino === fstatSync(other).ino;
  } catch {
    return false;
  }
}
