/**
 * Messaging between modules in different threads: from the control thread to all traffic threads and back. With `--workers 0`, the same API
 * works within a single thread.
 *
 * Messages between threads are copied by structured clone. Messages within a thread are not copied, so treat them as immutable plain data.
 */
import { token, type Token } from '@sluice/registry';

declare const messageType: unique symbol;
declare const responseType: unique symbol;

/** A message type, such as log entries. `M` is the type of the message body. The name must be unique in the process. */
export interface Topic<M> {
  readonly name: string;
  readonly [messageType]?: M;
}

/** A request type. Each request gets one response of type `A`. */
export interface Question<Q, A> {
  readonly name: string;
  readonly [messageType]?: Q;
  readonly [responseType]?: A;
}

export function topic<M>(name: string): Topic<M> {
  return Object.freeze({ name });
}

export function question<Q, A>(name: string): Question<Q, A> {
  return Object.freeze({ name });
}

export type Unsubscribe = () => void;

/** Messaging between the control thread and the traffic threads. Errors thrown by receivers are logged and not reported to the sender. */
export interface ThreadBus {
  /** Thread number: 0 for the control thread, 1 and up for worker threads. */
  readonly thread: number;

  /**
   * Sends a message to every thread, including this thread and threads that are starting. Control thread only.
   *
   * A module that depends on earlier broadcasts must subscribe before it requests the current state.
   */
  broadcast<M>(topic: Topic<M>, message: M): void;
  /** Subscribes to broadcasts from the control thread. Available in any thread. */
  onBroadcast<M>(topic: Topic<M>, listener: (message: M) => void): Unsubscribe;

  /** Sends a message to the control thread. Available in any thread. */
  report<M>(topic: Topic<M>, message: M): void;
  /** Subscribes to reports. The listener also receives the number of the sending thread. Control thread only. */
  onReport<M>(topic: Topic<M>, listener: (message: M, thread: number) => void): Unsubscribe;

  /** Sends a request to the control thread. Available in any thread. Rejects with the responder's error, or if no responder is registered. */
  ask<Q, A>(question: Question<Q, A>, body: Q): Promise<A>;
  /** Registers a responder for requests from threads. The most recently registered responder handles a request. Control thread only. */
  onAsk<Q, A>(question: Question<Q, A>, respond: (body: Q, thread: number) => A | Promise<A>): Unsubscribe;

  /** Sends a request to every thread that has a responder. Omits threads that exit or fail. Control thread only. */
  gather<Q, A>(question: Question<Q, A>, body: Q): Promise<A[]>;
  /** Registers a responder for {@link gather}. The most recently registered responder handles a request. Available in any thread. */
  onGather<Q, A>(question: Question<Q, A>, respond: (body: Q) => A | Promise<A>): Unsubscribe;
}

/** Service token for a thread's message bus: `context.use(threadBusToken)`. */
export const threadBusToken: Token<ThreadBus> = token('thread-bus');
