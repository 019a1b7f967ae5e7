/**
 * Watch that reads the log when the store signals new entries, and otherwise every second. Lost signals therefore only cause a delay. A
 * loss of entries in the store is detected about a second after the store is available again.
 */
import { taskOf, unawaited } from '@sluice/base';
import { WatchPlace, type Entry, type Head, type StoreWatch, type Watcher } from '@sluice/fleet';

/** Polling interval if there are no signals, and initial and maximum delay after failures. Times are in milliseconds. */
const pauses = { hintless: 1000, first: 10, last: 1000 };

/** Consistent snapshot of the log, starting at a revision. */
export interface LogPage {
  /** The next log entries, possibly not all of them. `null` if the first requested entry was trimmed. */
  readonly entries: readonly Entry[] | null;
  readonly head: Head | null;
}

export interface LogSource {
  read(from: number, to: number): Promise<LogPage>;
  /** Subscribes to signals of possible new entries. Returns a function that unsubscribes. */
  hints(listener: () => void): () => void;
}

/** An active watch on the log. It starts on creation and runs until it is closed. */
export class LogWatch implements StoreWatch {
  readonly #source: LogSource;
  readonly #watcher: Watcher;
  readonly #place: WatchPlace;
  readonly #unlisten: () => void;
  #closed = false;
  #hinted = false;
  #pause = pauses.first;
  #wake: () => void = () => {};

  constructor(source: LogSource, from: number, watcher: Watcher) {
    this.#source = source;
    this.#watcher = watcher;
    this.#place = new WatchPlace(from);
    this.#unlisten = source.hints(() => {
      this.#hinted = true;
      this.#wake();
    });
    unawaited(taskOf('sluice.fleet.stores'), this.#run());
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#hinted = false;
        const page = await this.#source.read(this.#place.next, Number.MAX_SAFE_INTEGER);
        this.#pause = pauses.first;
        if (!this.#closed && !this.#take(page) && !this.#hinted) await this.#rest(pauses.hintless);
      } catch (error) {
        if (this.#closed) return;
        this.#watcher.broken(error);
        await this.#rest(this.#pause);
        this.#pause = Math.min(this.#pause * 2, pauses.last);
      }
    }
  }

  /** Delivers the entries of a log page. Returns true if there may be more entries. */
  #take({ entries, head }: LogPage): boolean {
    if (!this.#place.check(head, entries?.[0])) {
      this.close();
      this.#watcher.forked(head);
      return false;
    }
    if (entries === null || head === null) {
      if (entries !== null) return false;
      this.close();
      this.#watcher.trimmed();
      return false;
    }
    for (const entry of entries) {
      this.#place.pass(head.lineage, entry);
      this.#watcher.entry(entry);
      if (this.#closed) return false;
    }
    return entries.length > 0;
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
