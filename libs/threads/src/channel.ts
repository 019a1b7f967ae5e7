/**
 * A channel between the control thread and one traffic thread: messages by topic, and questions with one response each,
 * both ways over one port, so that they arrive in the order in which they were sent.
 */
import { SluiceError, reportFault, guarded, taskOf, unawaited, silentLogger, type Logger } from '@sluice/base';
import { packError, unpackError, type PackedError } from './packed-error.ts';

/** One end of a pipe between two threads; a `MessagePort`, `Worker` or `parentPort` wrapped, or a fake of a test. */
export interface ThreadPort {
  /** Sends a copy (structured clone). Dropped silently when the other end is gone. */
  post(message: unknown): void;
  /** Sets the one receiver. Messages that arrived before are delivered then. */
  receive(listener: (message: unknown) => void): void;
}

/** Responds to a question of the other thread. */
export type Responder = (question: unknown) => unknown;
/** Takes messages whose name has no receiver. */
export interface ChannelFallback {
  message(topic: string, message: unknown): void;
  question(topic: string, question: unknown): unknown;
}

type Envelope =
  | { readonly kind: 'message'; readonly topic: string; readonly body: unknown }
  | { readonly kind: 'question'; readonly topic: string; readonly id: number; readonly body: unknown }
  | { readonly kind: 'response'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: PackedError };

interface Waiting {
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The error of a question whose thread has gone before it responded. */
export const threadGone = 'ERR_THREAD_GONE';

/** One end of a channel. */
export class Channel {
  readonly #port: ThreadPort;
  readonly #log: Logger;
  readonly #waiting = new Map<number, Waiting>();
  readonly #responders = new Map<string, Responder>();
  #fallback: ChannelFallback | null = null;
  #lastId = 0;
  #closed: Error | null = null;

  constructor(port: ThreadPort, log: Logger) {
    this.#port = port;
    this.#log = log;
  }

  /** Begins to receive. What was not given a responder before goes to `fallback`. */
  open(fallback: ChannelFallback): void {
    this.#fallback = fallback;
    this.#port.receive(guarded(taskOf('threads'), (message: unknown) => this.#receive(message as Envelope)));
  }

  /** Sends a message, without knowing whether it arrives. */
  send(topic: string, body: unknown): void {
    if (this.#closed === null) this.#port.post({ kind: 'message', topic, body } satisfies Envelope);
  }

  /** Asks, and gives the response; rejects with the other thread's error, or with `ERR_THREAD_GONE`. */
  ask(topic: string, body: unknown): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#port.post({ kind: 'question', topic, id, body } satisfies Envelope);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Sets who responds to the questions of a topic. */
  respond(topic: string, responder: Responder): void {
    this.#responders.set(topic, responder);
  }

  /** The other thread is gone: questions that wait are rejected, and later ones at once. */
  close(reason: string): void {
    if (this.#closed !== null) return;
    this.#closed = new SluiceError(threadGone, reason);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(this.#closed);
  }

  #receive(envelope: Envelope): void {
    switch (envelope.kind) {
      case 'message':
        try {
          this.#fallback?.message(envelope.topic, envelope.body);
        } catch (error) {
          this.#log.error('message receiver failed', { topic: envelope.topic, error });
          reportFault({ part: 'task', error, log: silentLogger });
        }
        break;
      case 'question':
        unawaited(taskOf('threads'), this.#reply(envelope.topic, envelope.id, envelope.body));
        break;
      case 'response':
        this.#settle(envelope.id)?.resolve(envelope.body);
        break;
      case 'refusal':
        this.#settle(envelope.id)?.reject(unpackError(envelope.error));
        break;
    }
  }

  async #reply(topic: string, id: number, question: unknown): Promise<void> {
    let envelope: Envelope;
    try {
      const responder = this.#responders.get(topic);
      const body = await (responder === undefined ? this.#fallback?.question(topic, question) : responder(question));
      envelope = { kind: 'response', id, body };
    } catch (error) {
      envelope = { kind: 'refusal', id, error: packError(error) };
    }
    try {
      this.#port.post(envelope);
    } catch (error) {
      // The response cannot be cloned: the one who asks must not wait for ever.
      this.#port.post({ kind: 'refusal', id, error: packError(error) } satisfies Envelope);
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
