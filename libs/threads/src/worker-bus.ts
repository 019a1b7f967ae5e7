import { SluiceError, type Logger } from '@sluice/base';
import type { Question, ThreadBus, Topic, Unsubscribe } from './bus.ts';
import type { Channel } from './channel.ts';
import { Subscriptions } from './subscriptions.ts';

type Listener = (message: unknown) => void;
type Responder = (question: unknown) => unknown;

/** Message bus of a traffic thread. It uses a single channel to the control thread. */
export class WorkerBus implements ThreadBus {
  readonly thread: number;
  readonly #channel: Channel;
  readonly #broadcasts = new Subscriptions<Listener>();
  readonly #gathered = new Subscriptions<Responder>();

  constructor(thread: number, channel: Channel) {
    this.thread = thread;
    this.#channel = channel;
  }

  /** Starts receiving messages. Register responders on the channel before calling this method. */
  open(log: Logger): void {
    this.#channel.open({
      message: (name, message) => this.#broadcasts.call(name, log, message),
      question: (name, body) => this.#gathered.last(name)(body),
    });
  }

  broadcast<M>({ name }: Topic<M>): void {
    throw this.#notControl(`broadcast ${name}`);
  }

  onBroadcast<M>({ name }: Topic<M>, listener: (message: M) => void): Unsubscribe {
    return this.#broadcasts.add(name, listener as Listener);
  }

  report<M>({ name }: Topic<M>, message: M): void {
    this.#channel.send(name, message);
  }

  onReport<M>({ name }: Topic<M>): Unsubscribe {
    throw this.#notControl(`receive reports of ${name}`);
  }

  async ask<Q, A>({ name }: Question<Q, A>, body: Q): Promise<A> {
    return (await this.#channel.ask(name, body)) as A;
  }

  onAsk<Q, A>({ name }: Question<Q, A>): Unsubscribe {
    throw this.#notControl(`respond to ${name}`);
  }

  async gather<Q, A>({ name }: Question<Q, A>): Promise<A[]> {
    throw this.#notControl(`gather ${name}`);
  }

  onGather<Q, A>({ name }: Question<Q, A>, respond: (body: Q) => A | Promise<A>): Unsubscribe {
    return this.#gathered.add(name, respond as Responder);
  }

  #notControl(what: string): Error {
    return new SluiceError('ERR_THREAD_ROLE', `only the control thread can ${what}; check context.roles.control first`);
  }
}
