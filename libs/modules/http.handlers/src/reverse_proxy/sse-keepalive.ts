/** Sends comments in idle event streams. The comments prevent proxies between server and client from closing the connection. */
import { failOwner, maxTimer, timeOfRead } from '@sluice/base';
import type { Exchange, ResponseWriter } from '@sluice/http-app';
import { EventBoundary } from './event-boundary.ts';

/** A comment and a blank line. Clients ignore both between events (HTML Standard, section 9.2.6). */
const comment = Buffer.from(':\n\n');

/** Writes the event stream of one response and inserts comments. */
export class SseKeepalive {
  readonly #exchange: Exchange;
  readonly #client: ResponseWriter;
  readonly #interval: number;
  readonly #boundary = new EventBoundary();
  /** True if the client must read data before more is written. */
  #isBlocked = false;
  #activeAt: number = timeOfRead();
  #timer: NodeJS.Timeout | null = null;
  readonly #check = (): void => {
    try {
      this.#checkSilence();
    } catch (error) {
      failOwner(this.#exchange, error);
    }
  };

  constructor(exchange: Exchange, client: ResponseWriter, interval: number) {
    this.#exchange = exchange;
    this.#client = client;
    this.#interval = interval;
    this.#checkAfter(interval);
  }

  /** Writes a chunk. Returns false if the caller must wait until the client has read data. */
  write(chunk: Buffer): boolean {
    const from = this.#follow(chunk, 0, chunk.length);
    return this.#written(this.#client.write(from === 0 ? chunk : chunk.subarray(from)));
  }

  /** Like {@link write}, but writes `bytes[from..to)`. The buffer may be overwritten later. */
  writeSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.#written(this.#client.writeSpan(bytes, this.#follow(bytes, from, to), to));
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #follow(bytes: Buffer, from: number, to: number): number {
    this.#activeAt = timeOfRead();
    return this.#boundary.follow(bytes, from, to);
  }

  #written(accepted: boolean): boolean {
    if (accepted || this.#isBlocked) return accepted;
    this.#isBlocked = true;
    this.#client.drained().then(
      () => {
        this.#isBlocked = false;
      },
      () => this.stop(),
    );
    return false;
  }

  /** Schedules the next check for silence. There is one timer per interval, instead of one per chunk. */
  #checkAfter(time: number): void {
    this.#timer = setTimeout(this.#check, Math.min(Math.max(time, 1), maxTimer)).unref();
  }

  #checkSilence(): void {
    this.#timer = null;
    const client = this.#client;
    if (client.ended || client.gone || this.#exchange.over) return;
    const left = this.#activeAt + this.#interval - performance.now();
    if (left <= 0 && !this.#isBlocked && this.#boundary.isReached) {
      this.#boundary.commented();
      this.#written(client.write(comment));
      client.flush();
    }
    this.#checkAfter(left > 0 ? left : this.#interval);
  }
}
