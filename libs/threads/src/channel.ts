import { SluiceError, reportFault, guarded, taskOf, unawaited, silentLogger, type Logger } from '@sluice/base';
import { packError, unpackError, type PackedError } from './packed-error.ts';

/** One end of a pipe between two threads: a wrapped `MessagePort`, `Worker` or `parentPort`, or a test double. */
export interface ThreadPort {
  /** Sends a copy (structured clone). Silently dropped if the other end is closed. */
  post(message: unknown): void;
  /** Sets the only receiver. Messages that arrived earlier are delivered at this point. */
  receive(listener: (message: unknown) => void): void;
}

/** Responds to a question of the other thread. */
export type Responder = (question: unknown) => unknown;
/** Receives messages without a registered receiver. */
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

/** Code of the error for a question whose thread exited before it responded. */
export const threadExited = 'ERR_THREAD_GONE';

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

  /** Starts receiving. Messages and questions without a registered responder go to `fallback`. */
  open(fallback: ChannelFallback): void {
    this.#fallback = fallback;
    this.#port.receive(guarded(taskOf('threads'), (message: unknown) => this.#receive(message as Envelope)));
  }

  /** Sends a message without delivery guarantee. */
  send(topic: string, body: unknown): void {
    if (this.#closed === null) this.#port.post({ kind: 'message', topic, body } satisfies Envelope);
  }

  /** Sends a question. Rejects with the other thread's error, or with `ERR_THREAD_GONE`. */
  ask(topic: string, body: unknown): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#port.post({ kind: 'question', topic, id, body } satisfies Envelope);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  respond(topic: string, responder: Responder): void {
    this.#responders.set(topic, responder);
  }

  /** Called when the other thread has exited. Rejects pending questions, and subsequent questions immediately. */
  close(reason: string): void {
    if (this.#closed !== null) return;
    this.#closed = new SluiceError(threadExited, reason);
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
      // If the response cannot be cloned, send an error, so that the caller does not wait forever.
      this.#port.post({ kind: 'refusal', id, error: packError(error) } satisfies Envelope);
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
