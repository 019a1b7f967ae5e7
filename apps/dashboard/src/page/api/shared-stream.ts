/**
 * Streams that every open page listens to, by one connection for all tabs of a browser: it has six connections to a server, and would
 * have none left for the fourth tab. One tab listens and tells the others; when it is closed, another takes over.
 */
import { targetOf, type Call } from './calls.ts';
import { listen, type Listener, type StreamEvent } from './events.ts';
import { token } from './session.ts';

/** How long a tab that should listen may be silent when it is asked, in milliseconds, until another takes over. */
const patience = 10_000;

/** What tabs tell each other. */
type Message =
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | { readonly kind: 'state'; readonly problem: string | null }
  | { readonly kind: 'ask' }
  /** To those that ask: how the stream is, if that is known yet. */
  | { readonly kind: 'here'; readonly problem: string | null | undefined };

/** How a stream is listened to that others may be listening to already. */
export interface SharedListener extends Listener {
  /** Called where the stream had begun before, so that what it told in the beginning has to be asked for. */
  readonly onJoined?: () => void;
}

/** Listens as {@link listen} does, together with tabs that have the same token. Without locks, as over plain HTTP from elsewhere, alone. */
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
  /** Tells the other tabs. */
  readonly #post: (message: Message) => void;
  /** As it was told last; `undefined` until the stream has begun or failed. */
  #problem: string | null | undefined;
  /** Ends the stream; `null` where another tab listens. */
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

  /** Waits for its turn to be the one that listens to the server. */
  #wait(options: LockOptions): void {
    const wanted = options.steal === true ? options : { ...options, signal: this.#abort };
    navigator.locks
      .request(this.#name, wanted, () => this.#lead())
      // Another has taken over, as this tab was silent: it waits again.
      .catch(() => {
        this.#end?.();
        this.#end = null;
        if (!this.#abort.aborted) this.#wait({});
      });
  }

  #lead(): Promise<void> {
    clearTimeout(this.#overdue);
    this.#end = listen(this.#call, {
      onEvent: (event) => this.#tell({ kind: 'event', event }),
      onState: (problem) => this.#tell({ kind: 'state', problem }),
    });
    return new Promise((resolve) => {
      this.#abort.addEventListener('abort', () => resolve());
    });
  }

  #tell(message: Message): void {
    this.#post(message);
    this.#hear(message);
  }

  /** Asks the tab that listens how the stream is; takes over where it is asleep. */
  #ask(): void {
    if (this.#end !== null) return;
    this.#post({ kind: 'ask' });
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#wait({ steal: true }), patience);
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

/** The same for tabs that see the same. What a token is does not stand in it. */
async function nameOf(call: Call): Promise<string> {
  const bytes = new TextEncoder().encode(token.value);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `${targetOf(call)} ${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
