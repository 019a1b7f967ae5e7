/**
 * Listening sockets of all threads. An upgrade collects them for the new process, and releases them once the new
 * process serves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isRouteKey, type Listener, type QuicListener } from '@sluice/http-app';
import type { ListenSockets, OpenedSocket, SocketDescriptors } from '@sluice/base';
import type { ResourcePool } from '@sluice/registry';
import { question, topic, type Question, type ThreadBus, type Topic } from '@sluice/threads';

/** Interval in milliseconds for polling the number of clients. */
const interval = 10;

const openSockets: Question<null, SocketDescriptors> = question('process.open_sockets');
const discardSockets: Topic<null> = topic('process.discard_sockets');
const leaveSockets: Question<{ readonly timeout: number }, true> = question('process.leave_sockets');

/** Sent from a worker to the control thread. */
export const socketOpened: Topic<OpenedSocket> = topic('process.socket_opened');
export const socketClosed: Topic<number> = topic('process.socket_closed');
export const socketsUnused: Topic<readonly number[]> = topic('process.sockets_unused');
/**
 * Topic of messages from the control thread to workers: thread `by` accepts connections on sockets of another worker.
 */
export const standIn: Topic<{ readonly by: number; readonly sockets: SocketDescriptors }> = topic('process.stand_in');
export const endStandIn: Topic<{ readonly descriptors: readonly number[] }> = topic('process.end_stand_in');

/** Makes a thread share its sockets. Called during setup. */
export function shareSockets(
  bus: ThreadBus,
  sockets: ListenSockets,
  { listeners, quicListeners }: { listeners: ResourcePool<Listener>; quicListeners: ResourcePool<QuicListener> },
): void {
  if (bus.thread > 0) reportSockets(bus, sockets, listeners);
  bus.onGather(openSockets, () => sockets.descriptors);
  bus.onBroadcast(discardSockets, () => sockets.discard());
  bus.onGather(leaveSockets, async ({ timeout }) => {
    sockets.handOver();
    const open = [...listeners, ...quicListeners].map(([, listener]) => listener);
    for (const listener of open) listener.leave();
    const end = performance.now() + timeout;
    while (performance.now() < end && open.some(({ connections }) => connections > 0)) await sleep(interval);
    return true;
  });
}

/** Worker: reports sockets to the control thread, which keeps them, and accepts for other workers on request. */
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

/** Control thread: returns the descriptors of all threads. */
export async function gatherSockets(bus: ThreadBus): Promise<SocketDescriptors> {
  return (await bus.gather(openSockets, null)).flat();
}

/** Control thread: makes all threads close unused inherited sockets. */
export function discardUnused(bus: ThreadBus): void {
  bus.broadcast(discardSockets, null);
}

/**
 * Control thread: makes all threads stop accepting after another process has taken over.
 *
 * Resolves when all connections are closed, or after `timeout` milliseconds. Until then, each response asks the client to open a new
 * connection.
 */
export async function leaveAllSockets(bus: ThreadBus, timeout: number): Promise<void> {
  await bus.gather(leaveSockets, { timeout });
}

/**
 * Distributes inherited sockets to threads. A thread closes its sockets when it exits, and the descriptor numbers may then be reused, so a
 * replacement worker inherits no sockets and opens new ones.
 */
export class InheritedSockets {
  readonly #all: SocketDescriptors;
  readonly #workers: number;
  readonly #taken = new Set<number>();

  constructor(all: SocketDescriptors, workers: number) {
    this.#all = all.filter(([key]) => !isRouteKey(key));
    this.#workers = workers;
  }

  /** Returns the sockets of a thread; empty on later calls. */
  take(thread: number): SocketDescriptors {
    if (this.#taken.has(thread)) return [];
    this.#taken.add(thread);
    return socketsOfThread(this.#all, thread, this.#workers);
  }
}

/** Returns the sockets for one thread, one per address. */
function socketsOfThread(all: SocketDescriptors, thread: number, workers: number): SocketDescriptors {
  const seen = new Map<string, number>();
  return all.filter(([key]) => {
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    if (isOfControl(key) || workers === 0) return thread === 0;
    return thread === (index % workers) + 1;
  });
}

/** True for sockets of the control thread, which serves the admin endpoint. */
function isOfControl(key: string): boolean {
  return key.startsWith('admin ');
}
