/**
 * What modules of one thread say to those of others: from the control thread to all that serve traffic, and back. It
 * works the same where one thread is both (`--workers 0`). Messages are copied (structured clone) between threads and
 * not within one: treat them as immutable plain data.
 */
import { token, type Token } from '@sluice/registry';

declare const messageType: unique symbol;
declare const responseType: unique symbol;

/** A kind of messages, such as log entries; `M` is their type. Its name is unique in the process. */
export interface Topic<M> {
  readonly name: string;
  readonly [messageType]?: M;
}

/** A kind of questions that get one response each. */
export interface Question<Q, A> {
  readonly name: string;
  readonly [messageType]?: Q;
  readonly [responseType]?: A;
}

/** Makes the token of a kind of messages. */
export function topic<M>(name: string): Topic<M> {
  return Object.freeze({ name });
}

/** Makes the token of a kind of questions. */
export function question<Q, A>(name: string): Question<Q, A> {
  return Object.freeze({ name });
}

/** Ends a registration. */
export type Unsubscribe = () => void;

/** Messages between the control thread and the traffic threads. Receivers that fail are logged, never the sender's trouble. */
export interface ThreadBus {
  /** Number of this thread: 0 is the control thread, workers count from 1. */
  readonly thread: number;

  /**
   * Control only: sends to every thread, this one and those that are starting included. A module that needs what was sent
   * before it was there subscribes first and then asks.
   */
  broadcast<M>(topic: Topic<M>, message: M): void;
  /** Any thread: receives what the control thread broadcasts. */
  onBroadcast<M>(topic: Topic<M>, listener: (message: M) => void): Unsubscribe;

  /** Any thread: sends to the control thread. */
  report<M>(topic: Topic<M>, message: M): void;
  /** Control only: receives reports, with the number of the thread they came from. */
  onReport<M>(topic: Topic<M>, listener: (message: M, thread: number) => void): Unsubscribe;

  /** Any thread: asks the control thread. Rejects with the error of the thread that responds, or if none does. */
  ask<Q, A>(question: Question<Q, A>, body: Q): Promise<A>;
  /** Control only: responds to what threads ask. The last registration responds. */
  onAsk<Q, A>(question: Question<Q, A>, respond: (body: Q, thread: number) => A | Promise<A>): Unsubscribe;

  /** Control only: asks every thread that responds to such questions. Threads that go meanwhile or refuse are left out. */
  gather<Q, A>(question: Question<Q, A>, body: Q): Promise<A[]>;
  /** Any thread: responds to what the control thread gathers. The last registration responds. */
  onGather<Q, A>(question: Question<Q, A>, respond: (body: Q) => A | Promise<A>): Unsubscribe;
}

/** The bus of the thread: `context.use(threadBusToken)`. */
export const threadBusToken: Token<ThreadBus> = token('thread-bus');
