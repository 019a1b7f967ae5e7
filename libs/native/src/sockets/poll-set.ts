/**
 * Readiness of many descriptors through an epoll set of the thread (Linux). The event loop watches the set as a single descriptor. A
 * connection therefore needs no libuv handle, and a read needs no call from C++.
 */
import { taskOf } from '@sluice/base';
import { Block } from '../memory.ts';
import { LoopWatch } from './loop-watch.ts';
import { polledSystem } from './polled-functions.ts';

/** Event bits of epoll. */
export const ready = { readable: 1, writable: 4, failed: 8, hungUp: 16 } as const;
/** Flag for a descriptor that is watched for no events. With this flag, epoll reports a failed connection only once, not in every turn. */
const edgeTriggered = -0x8000_0000;

/** A descriptor in the set. */
export interface Polled {
  readonly connectionDescriptor: number;
  /** Called with bits of {@link ready}. Must not throw. */
  onReady(events: number): void;
}

const operation = { add: 1, remove: 2, change: 3 } as const;
const closeOnExec = 0x80000;
/** Maximum number of descriptors to process per turn. Limited because ticks and promises run only between turns. */
const maxEvents = 64;
/** `struct epoll_event` is packed on x64. */
export const eventSize: number = process.arch === 'x64' ? 12 : 16;
const dataAt = eventSize - 8;

export class PollSet {
  /** File descriptor of the epoll set. */
  readonly descriptor: number;
  readonly #one = new Block(eventSize).pin();
  readonly #oneAddress: bigint = this.#one.at(0, eventSize);
  readonly #found = new Block(eventSize * maxEvents).pin();
  readonly #foundAddress: bigint = this.#found.at(0, eventSize * maxEvents);
  readonly #words = new Int32Array(this.#found.bytes.buffer, this.#found.bytes.byteOffset, (eventSize * maxEvents) / 4);
  /** Members by slot. The kernel returns the slot, because descriptor numbers are reused within a turn. */
  readonly #members: (Polled | null)[] = [];
  readonly #free: number[] = [];
  readonly #freed: number[] = [];
  readonly #watch: LoopWatch;

  constructor() {
    this.descriptor = polledSystem().epoll_create1(closeOnExec);
    if (this.descriptor < 0) throw new Error('cannot create an epoll set');
    this.#watch = new LoopWatch(this.descriptor, taskOf('http'), () => this.#turn());
    this.#watch.watch({ readable: true, writable: false });
  }

  /** Adds a descriptor. Returns its slot, or -1 if the system rejects the descriptor. */
  add(member: Polled, events: number): number {
    const slot = this.#free.pop() ?? this.#members.length;
    if (this.#control(operation.add, member.connectionDescriptor, slot, events) !== 0) {
      this.#free.push(slot);
      return -1;
    }
    this.#members[slot] = member;
    return slot;
  }

  /** Changes the events to watch for. 0 means no events. */
  change(member: Polled, slot: number, events: number): void {
    this.#control(operation.change, member.connectionDescriptor, slot, events === 0 ? edgeTriggered : events);
  }

  /** Removes a descriptor that stays open. */
  remove(member: Polled, slot: number): void {
    this.#control(operation.remove, member.connectionDescriptor, slot, 0);
    this.forget(slot);
  }

  /** Called when a descriptor that has no duplicates is closed. Closing it also removes it from the set. */
  forget(slot: number): void {
    this.#members[slot] = null;
    // Events of this turn may still contain the slot.
    this.#freed.push(slot);
  }

  #control(kind: number, descriptor: number, slot: number, events: number): number {
    const { bytes } = this.#one;
    bytes.writeInt32LE(events, 0);
    bytes.writeInt32LE(slot, dataAt);
    return polledSystem().epoll_ctl(this.descriptor, kind, descriptor, this.#oneAddress);
  }

  #turn(): void {
    const count = polledSystem().epoll_wait(this.descriptor, this.#foundAddress, maxEvents, 0);
    const step = eventSize / 4;
    const words = this.#words;
    for (let i = 0; i < count; i++) {
      const slot = words[i * step + dataAt / 4] ?? -1;
      this.#members[slot]?.onReady(words[i * step] ?? 0);
    }
    for (let slot = this.#freed.pop(); slot !== undefined; slot = this.#freed.pop()) this.#free.push(slot);
  }
}

let connections: PollSet | null = null;
let listeners: PollSet | null = null;

/** Returns this thread's set for connections. */
export function connectionSet(): PollSet {
  return (connections ??= new PollSet());
}

/** Returns this thread's set for listening sockets. */
export function listenerSet(): PollSet {
  return (listeners ??= new PollSet());
}
