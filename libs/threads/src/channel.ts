import { SluiceError, reportFault, guarded, taskOf, unawaited, silentLogger, type Logger } from '@sluice/base';
import { packError, unpackError, type PackedError } from './packed-error.ts';

/** One end of a message connection between two threads. Wraps a `MessagePort`, `Worker` or `parentPort`, or is a test double. */
export interface ThreadPort {
  /** Sends a copy of the message (structured clone). The message is silently dropped if the other end is closed. */
  post(message: unknown): void;
  /** Sets the message listener, which also receives messages that arrived earlier. Only one listener is supported. */
  receive(listener: (message: unknown) => void): void;
}

/** Responds to a request from the other thread. */
export type Responder = (question: unknown) => unknown;
/** Receives messages and requests for which no receiver is registered. */
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

/** Error code for a request whose target thread exited before it responded. */
export const threadExited = 'ERR_THREAD_GONE';

/** One end of a message channel between two threads. */
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

  /** Starts receiving messages. Messages and requests without a registered receiver go to `fallback`. */
  open(fallback: ChannelFallback): void {
    this.#fallback = fallback;
    this.#port.receive(guarded(taskOf('threads'), (message: unknown) => this.#receive(message as Envelope)));
  }

  /** Sends a message. Delivery is not guaranteed. */
  send(topic: string, body: unknown): void {
    if (this.#closed === null) this.#port.post({ kind: 'message', topic, body } satisfies Envelope);
  }

  /** Sends a request. Rejects with the other thread's error, or with `ERR_THREAD_GONE`. */
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

  /** Called when the other thread has exited. Rejects pending requests, and rejects all later requests immediately. */
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
      // The response cannot be cloned. Send an error, because the caller would otherwise wait forever.
      this.#port.post({ kind: 'refusal', id, error: packError(error) } satisfies Envelope);
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
