/** The listening sockets of all threads: asked for when a newer process takes over, and left to it when it serves. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isRouteKey, type Listener, type QuicListener } from '@sluice/http-app';
import type { ListenSockets, OpenedSocket, SocketDescriptors } from '@sluice/base';
import type { ResourcePool } from '@sluice/registry';
import { question, topic, type Question, type ThreadBus, type Topic } from '@sluice/threads';

/** How often to look whether the last client has gone, in milliseconds. */
const interval = 10;

const openSockets: Question<null, SocketDescriptors> = question('process.open_sockets');
const discardSockets: Topic<null> = topic('process.discard_sockets');
const leaveSockets: Question<{ readonly patience: number }, true> = question('process.leave_sockets');

/** Worker to control thread. */
export const socketOpened: Topic<OpenedSocket> = topic('process.socket_opened');
export const socketClosed: Topic<number> = topic('process.socket_closed');
export const socketsUnused: Topic<readonly number[]> = topic('process.sockets_unused');
/** Control thread to workers: `by` accepts on sockets of another one. */
export const standIn: Topic<{ readonly by: number; readonly sockets: SocketDescriptors }> = topic('process.stand_in');
export const endStandIn: Topic<{ readonly descriptors: readonly number[] }> = topic('process.end_stand_in');

/** Lets a thread give its sockets away. Called when it is assembled. */
export function shareSockets(
  bus: ThreadBus,
  sockets: ListenSockets,
  { listeners, quicListeners }: { listeners: ResourcePool<Listener>; quicListeners: ResourcePool<QuicListener> },
): void {
  if (bus.thread > 0) reportSockets(bus, sockets, listeners);
  bus.onGather(openSockets, () => sockets.descriptors);
  bus.onBroadcast(discardSockets, () => sockets.discard());
  bus.onGather(leaveSockets, async ({ patience }) => {
    sockets.handOver();
    const open = [...listeners, ...quicListeners].map(([, listener]) => listener);
    for (const listener of open) listener.leave();
    const end = performance.now() + patience;
    while (performance.now() < end && open.some(({ connections }) => connections > 0)) await sleep(interval);
    return true;
  });
}

/** Worker: has the control thread keep the sockets, and accepts for another worker when it is asked to. */
function reportSockets(bus: ThreadBus, sockets: ListenSockets, listeners: ResourcePool<Listener>): void {
  sockets.watch = {
    opened: (socket) => bus.report(socketOpened, socket),
    closed: (id) => bus.report(socketClosed, id),
    unused: (descriptors) => bus.report(socketsUnused, descriptors),
  };
  bus.onBroadcast(standIn, ({ by, sockets: others }) => {
    if (by !== bus.thread) return;
    const open = [...listeners].map(([, listener]) => listener);
    for (const [key, descriptor] of others) open.find((listener) => listener.key === key)?.standIn(descriptor);
  });
  bus.onBroadcast(endStandIn, ({ descriptors }) => {
    for (const [, listener] of listeners) for (const descriptor of descriptors) listener.endStandIn(descriptor);
  });
}

/** Control thread: the descriptors of all threads. */
export async function gatherSockets(bus: ThreadBus): Promise<SocketDescriptors> {
  return (await bus.gather(openSockets, null)).flat();
}

/** Control thread: has all threads close what was handed over to them and is not in use. */
export function discardUnused(bus: ThreadBus): void {
  bus.broadcast(discardSockets, null);
}

/**
 * Control thread: has all threads stop to accept, as another process does. Resolves when no connection is left, or
 * after `patience` milliseconds, in which each request that comes is told to use a new connection from then on.
 */
export async function leaveAllSockets(bus: ThreadBus, patience: number): Promise<void> {
  await bus.gather(leaveSockets, { patience });
}

/**
 * What the process before has handed over, and which thread takes which of it. A thread that ends closes what it took, and
 * the numbers may be those of other files then: a worker that replaces it takes nothing, and opens sockets of its own.
 */
export class InheritedSockets {
  readonly #all: SocketDescriptors;
  readonly #workers: number;
  readonly #taken = new Set<number>();

  constructor(all: SocketDescriptors, workers: number) {
    this.#all = all.filter(([key]) => !isRouteKey(key));
    this.#workers = workers;
  }

  /** The sockets of a thread, the first time. */
  take(thread: number): SocketDescriptors {
    if (this.#taken.has(thread)) return [];
    this.#taken.add(thread);
    return socketsOfThread(this.#all, thread, this.#workers);
  }
}

/** The part of the sockets of a process that one of its threads takes: each takes one of those for the same address. */
function socketsOfThread(all: SocketDescriptors, thread: number, workers: number): SocketDescriptors {
  const seen = new Map<string, number>();
  return all.filter(([key]) => {
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    if (isOfControl(key) || workers === 0) return thread === 0;
    return thread === (index % workers) + 1;
  });
}

/** The admin endpoint is served by the control thread. */
function isOfControl(key: string): boolean {
  return key.startsWith('admin ');
}
