/** Message bus of the control thread. With `--workers 0`, there are no channels, and this is the only bus. */
import { isSluiceError, type Logger } from '@sluice/base';
import type { Question, ThreadBus, Topic, Unsubscribe } from './bus.ts';
import { type Channel, threadExited } from './channel.ts';
import { noResponder, Subscriptions } from './subscriptions.ts';

type Listener = (message: unknown, thread: number) => void;
type Responder = (question: unknown, thread: number) => unknown;

/** Broadcasts messages to the traffic threads and receives their reports. */
export class ControlBus implements ThreadBus {
  readonly thread = 0;
  readonly #log: Logger;
  readonly #channels = new Map<number, Channel>();
  readonly #broadcasts = new Subscriptions<Listener>();
  readonly #reports = new Subscriptions<Listener>();
  readonly #asked = new Subscriptions<Responder>();
  readonly #gathered = new Subscriptions<Responder>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Registers and opens the channel to a traffic thread. Called when the pool starts a thread. */
  attach(thread: number, channel: Channel): void {
    this.#channels.set(thread, channel);
    channel.open({
      message: (name, message) => this.#reports.call(name, this.#log, message, thread),
      question: (name, body) => this.#asked.last(name)(body, thread),
    });
  }

  detach(thread: number): void {
    this.#channels.delete(thread);
  }

  broadcast<M>({ name }: Topic<M>, message: M): void {
    for (const channel of this.#channels.values()) channel.send(name, message);
    queueMicrotask(() => this.#broadcasts.call(name, this.#log, message, this.thread));
  }

  onBroadcast<M>({ name }: Topic<M>, listener: (message: M) => void): Unsubscribe {
    return this.#broadcasts.add(name, listener as Listener);
  }

  report<M>({ name }: Topic<M>, message: M): void {
    queueMicrotask(() => this.#reports.call(name, this.#log, message, this.thread));
  }

  onReport<M>({ name }: Topic<M>, listener: (message: M, thread: number) => void): Unsubscribe {
    return this.#reports.add(name, listener as Listener);
  }

  async ask<Q, A>({ name }: Question<Q, A>, body: Q): Promise<A> {
    return (await this.#asked.last(name)(body, this.thread)) as A;
  }

  onAsk<Q, A>({ name }: Question<Q, A>, respond: (body: Q, thread: number) => A | Promise<A>): Unsubscribe {
    return this.#asked.add(name, respond as Responder);
  }

  async gather<Q, A>({ name }: Question<Q, A>, body: Q): Promise<A[]> {
    const here = async (): Promise<unknown> => this.#gathered.last(name)(body, this.thread);
    const asked = [here(), ...[...this.#channels.values()].map((channel) => channel.ask(name, body))];
    const responses: A[] = [];
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'fulfilled') responses.push(result.value as A);
      else if (!isExpected(result.reason)) {
        this.#log.warn('thread failed to respond to the control thread', {
          topic: name,
          error: result.reason as unknown,
        });
      }
    }
    return responses;
  }

  onGather<Q, A>({ name }: Question<Q, A>, respond: (body: Q) => A | Promise<A>): Unsubscribe {
    return this.#gathered.add(name, respond as Responder);
  }
}

function isExpected(error: unknown): boolean {
  return isSluiceError(error) && (error.code === threadExited || error.code === noResponder);
}
