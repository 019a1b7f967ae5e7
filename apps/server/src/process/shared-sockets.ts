/** Listening sockets of all threads. An upgrade collects them for the new process, and releases them once the new process serves requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isRouteKey, type Listener, type QuicListener } from '@sluice/http-app';
import type { ListenSockets, OpenedSocket, PollSets, SocketDescriptors } from '@sluice/base';
import type { ResourcePool } from '@sluice/registry';
import { question, topic, type Question, type ThreadBus, type Topic } from '@sluice/threads';

/** Polling interval for the number of clients, in milliseconds. */
const interval = 10;

const openSockets: Question<null, SocketDescriptors> = question('process.open_sockets');
const discardSockets: Topic<null> = topic('process.discard_sockets');
const leaveSockets: Question<{ readonly timeout: number }, true> = question('process.leave_sockets');

/** Topic of messages from workers to the control thread about opened listening sockets. */
export const socketOpened: Topic<OpenedSocket> = topic('process.socket_opened');
export const socketClosed: Topic<number> = topic('process.socket_closed');
/** Topic of messages from workers to the control thread. Each message contains the epoll sets of a worker. */
export const connectionsPolled: Topic<PollSets> = topic('process.connections_polled');
export const socketsUnused: Topic<readonly number[]> = topic('process.sockets_unused');
/** Topic of messages from the control thread to workers. They make the thread `by` accept connections on another worker's sockets. */
export const standIn: Topic<{ readonly by: number; readonly sockets: SocketDescriptors }> = topic('process.stand_in');
export const endStandIn: Topic<{ readonly descriptors: readonly number[] }> = topic('process.end_stand_in');

/** Makes a thread share its listening sockets. Called during setup of the thread. */
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

/**
 * Reports a worker's sockets to the control thread, which keeps duplicates. On request, accepts connections for other workers. Call only in
 * workers.
 */
function reportSockets(bus: ThreadBus, sockets: ListenSockets, listeners: ResourcePool<Listener>): void {
  sockets.watch = {
    opened: (socket) => bus.report(socketOpened, socket),
    closed: (id) => bus.report(socketClosed, id),
    polls: (sets) => bus.report(connectionsPolled, sets),
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

/** Returns the socket descriptors of all threads. Call only in the control thread. */
export async function gatherSockets(bus: ThreadBus): Promise<SocketDescriptors> {
  return (await bus.gather(openSockets, null)).flat();
}

/** Makes all threads close unused inherited sockets. Call only in the control thread. */
export function discardUnused(bus: ThreadBus): void {
  bus.broadcast(discardSockets, null);
}

/**
 * Makes all threads stop accepting connections after another process has taken over. Call only in the control thread.
 *
 * Resolves when all connections are closed, or after `timeout` milliseconds. Until then, each response asks the client to open a new
 * connection.
 */
export async function leaveAllSockets(bus: ThreadBus, timeout: number): Promise<void> {
  await bus.gather(leaveSockets, { timeout });
}

/**
 * Listening sockets inherited from the previous process, to be distributed to threads. A thread closes its sockets when it exits, and the
 * descriptor numbers may then be reused. A replacement worker therefore inherits no sockets and opens new ones.
 */
export class InheritedSockets {
  readonly #all: SocketDescriptors;
  readonly #workers: number;
  readonly #taken = new Set<number>();

  constructor(all: SocketDescriptors, workers: number) {
    this.#all = all.filter(([key]) => !isRouteKey(key));
    this.#workers = workers;
  }

  /** Returns the inherited sockets of a thread. Empty on later calls. */
  take(thread: number): SocketDescriptors {
    if (this.#taken.has(thread)) return [];
    this.#taken.add(thread);
    return socketsOfThread(this.#all, thread, this.#workers);
  }
}

/** Returns the inherited sockets for one thread, one per address. */
function socketsOfThread(all: SocketDescriptors, thread: number, workers: number): SocketDescriptors {
  const seen = new Map<string, number>();
  return all.filter(([key]) => {
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    if (isOfControl(key) || workers === 0) return thread === 0;
    return thread === (index % workers) + 1;
  });
}

/** Reports whether a socket belongs to the control thread, which serves the admin endpoint. */
function isOfControl(key: string): boolean {
  return key.startsWith('admin ');
}
