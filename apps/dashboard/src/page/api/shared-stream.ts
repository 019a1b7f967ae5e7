/**
 * Shares one event stream among all tabs of a browser, because browsers permit only six connections to a server. One tab subscribes and
 * relays events to the other tabs. When that tab is closed, another tab subscribes.
 */
import { targetOf, type Call } from './calls.ts';
import { listen, type Listener, type StreamEvent } from './events.ts';
import { token } from './session.ts';

/** Response timeout for the subscribed tab, in milliseconds. After the timeout, another tab takes over. */
const timeout = 10_000;

/** Messages between tabs. */
type Message =
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | { readonly kind: 'state'; readonly problem: string | null }
  | { readonly kind: 'ask' }
  /** Response to `ask`: the state of the stream. `problem` is undefined if the state is unknown. */
  | { readonly kind: 'here'; readonly problem: string | null | undefined };

export interface SharedListener extends Listener {
  /** Called if another tab had already started the stream. The earlier events must be requested separately. */
  readonly onJoined?: () => void;
}

/**
 * Subscribes like {@link listen}, but shares the connection with tabs that use the same token. Over plain HTTP from another machine,
 * browsers provide no locks, so each tab connects separately.
 */
export function listenTogether(call: Call, listener: SharedListener): () => void {
  if (!('locks' in navigator)) return listen(call, listener);
  const abort = new AbortController();
  void nameOf(call).then((name) => {
    if (!abort.signal.aborted) new SharedStream(name, call, { listener, abort: abort.signal }).begin();
  });
  return () => abort.abort();
}

class SharedStream {
  readonly #name: string;
  readonly #call: Call;
  readonly #listener: SharedListener;
  readonly #abort: AbortSignal;
  readonly #channel: BroadcastChannel;
  /** Sends a message to the other tabs. */
  readonly #post: (message: Message) => void;
  /** Last state of the stream, or `undefined` until the stream has connected or failed. */
  #problem: string | null | undefined;
  /** Closes this tab's stream. `null` if another tab is subscribed. */
  #end: (() => void) | null = null;
  #overdue: ReturnType<typeof setTimeout> | undefined;

  constructor(name: string, call: Call, { listener, abort }: { listener: SharedListener; abort: AbortSignal }) {
    this.#name = name;
    this.#call = call;
    this.#listener = listener;
    this.#abort = abort;
    this.#channel = new BroadcastChannel(name);
    this.#post = this.#channel.postMessage.bind(this.#channel);
  }

  begin(): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#take(data));
    const look = (): void => void (document.hidden || this.#ask());
    document.addEventListener('visibilitychange', look);
    this.#abort.addEventListener('abort', () => {
      document.removeEventListener('visibilitychange', look);
      clearTimeout(this.#overdue);
      this.#end?.();
      this.#channel.close();
    });
    this.#wait({});
    this.#ask();
  }

  /** Waits for the lock. The tab that holds the lock subscribes to the server. */
  #wait(options: LockOptions): void {
    const wanted = options.steal === true ? options : { ...options, signal: this.#abort };
    navigator.locks
      .request(this.#name, wanted, () => this.#lead())
      // Another tab took over the lock, because this tab did not respond.
      .catch(() => {
        this.#end?.();
        this.#end = null;
        if (!this.#abort.aborted) this.#wait({});
      });
  }

  #lead(): Promise<void> {
    clearTimeout(this.#overdue);
    this.#end = listen(this.#call, {
      onEvent: (event) => this.#send({ kind: 'event', event }),
      onState: (problem) => this.#send({ kind: 'state', problem }),
    });
    return new Promise((resolve) => {
      this.#abort.addEventListener('abort', () => resolve());
    });
  }

  #send(message: Message): void {
    this.#post(message);
    this.#hear(message);
  }

  /** Requests the state of the stream from the subscribed tab. Takes over if that tab does not respond. */
  #ask(): void {
    if (this.#end !== null) return;
    this.#post({ kind: 'ask' });
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#wait({ steal: true }), timeout);
  }

  #take(message: Message): void {
    if (message.kind === 'ask') {
      if (this.#end !== null) this.#post({ kind: 'here', problem: this.#problem });
      return;
    }
    clearTimeout(this.#overdue);
    this.#hear(message);
  }

  #hear(message: Message): void {
    if (message.kind === 'event') this.#listener.onEvent(message.event);
    if (message.kind === 'state') {
      this.#problem = message.problem;
      this.#listener.onState?.(message.problem);
    }
    if (message.kind !== 'here' || message.problem === undefined || this.#problem !== undefined) return;
    this.#problem = message.problem;
    if (message.problem === null) this.#listener.onJoined?.();
    this.#listener.onState?.(message.problem);
  }
}

/** Returns a lock name that is the same for all tabs with the same token. The name does not reveal the token. */
async function nameOf(call: Call): Promise<string> {
  const bytes = new TextEncoder().encode(token.value);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `${targetOf(call)} ${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
