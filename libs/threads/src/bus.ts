/**
 * Messaging between modules of different threads, from the control thread to all traffic threads and back. With `--workers 0`, the same API
 * works within one thread.
 *
 * Messages are copied between threads (structured clone) but not within one thread, so treat them as immutable plain data.
 */
import { token, type Token } from '@sluice/registry';

declare const messageType: unique symbol;
declare const responseType: unique symbol;

/** A message type, such as log entries. `M` is the type of the messages. The name must be unique in the process. */
export interface Topic<M> {
  readonly name: string;
  readonly [messageType]?: M;
}

/** A question type; each question gets one response. */
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

/**
 * Messaging between the control thread and the traffic threads. Errors of receivers are logged and do not reach the
 * sender.
 */
export interface ThreadBus {
  /** Number of this thread: 0 for the control thread, workers start at 1. */
  readonly thread: number;

  /**
   * Control thread only: sends a message to every thread, including itself and threads that are starting.
   *
   * A module that depends on earlier broadcasts must subscribe first and then request the current state.
   */
  broadcast<M>(topic: Topic<M>, message: M): void;
  /** Receives broadcasts of the control thread. Available in any thread. */
  onBroadcast<M>(topic: Topic<M>, listener: (message: M) => void): Unsubscribe;

  /** Sends a message to the control thread. Available in any thread. */
  report<M>(topic: Topic<M>, message: M): void;
  /** Control thread only: receives reports, with the number of the sending thread. */
  onReport<M>(topic: Topic<M>, listener: (message: M, thread: number) => void): Unsubscribe;

  /**
   * Sends a question to the control thread. Available in any thread. Rejects with the responder's error, or if no
   * responder exists.
   */
  ask<Q, A>(question: Question<Q, A>, body: Q): Promise<A>;
  /** Control thread only: responds to questions of threads. The most recent registration responds. */
  onAsk<Q, A>(question: Question<Q, A>, respond: (body: Q, thread: number) => A | Promise<A>): Unsubscribe;

  /** Control thread only: sends a question to every thread with a responder. Skips threads that exit or fail. */
  gather<Q, A>(question: Question<Q, A>, body: Q): Promise<A[]>;
  /** Responds to {@link gather}. Available in any thread. The most recent registration responds. */
  onGather<Q, A>(question: Question<Q, A>, respond: (body: Q) => A | Promise<A>): Unsubscribe;
}

/** Message bus of the thread: `context.use(threadBusToken)`. */
export const threadBusToken: Token<ThreadBus> = token('thread-bus');
