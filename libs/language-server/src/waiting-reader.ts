/** Reads editor messages. Queues the first message that can't be handled yet, and all messages after it. */
import type {
  DataCallback,
  Disposable,
  Event,
  Message,
  MessageReader,
  PartialMessageInfo,
} from 'vscode-languageserver/node';

/** A message reader that delivers messages in order. Queued messages are delivered after {@link goOn}. */
export class WaitingReader implements MessageReader {
  /** Resolves when the first message has been queued. */
  readonly waits: Promise<void>;
  readonly #reader: MessageReader;
  readonly #hasToWait: (message: Message) => boolean;
  #state: 'before' | 'waiting' | 'open' = 'before';
  readonly #held: Message[] = [];
  #pass: DataCallback = () => undefined;
  #begin = (): void => undefined;

  constructor(reader: MessageReader, hasToWait: (message: Message) => boolean) {
    this.#reader = reader;
    this.#hasToWait = hasToWait;
    this.waits = new Promise((resolve) => (this.#begin = resolve));
  }

  get onError(): Event<Error> {
    return this.#reader.onError;
  }

  get onClose(): Event<void> {
    return this.#reader.onClose;
  }

  get onPartialMessage(): Event<PartialMessageInfo> {
    return this.#reader.onPartialMessage;
  }

  listen(pass: DataCallback): Disposable {
    this.#pass = pass;
    return this.#reader.listen((message) => this.#take(message));
  }

  /** Delivers queued messages. Later messages are delivered immediately. */
  goOn(): void {
    this.#state = 'open';
    for (const message of this.#held.splice(0)) this.#pass(message);
  }

  dispose(): void {
    this.#reader.dispose();
  }

  #take(message: Message): void {
    if (this.#state === 'before' && this.#hasToWait(message)) {
      this.#state = 'waiting';
      this.#begin();
    }
    if (this.#state === 'waiting') this.#held.push(message);
    else this.#pass(message);
  }
}
