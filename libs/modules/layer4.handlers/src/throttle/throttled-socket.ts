/** Socket whose reads wait for tokens in the rate limit's buckets. */
import type { Duplex } from 'node:stream';
import { guarded, maxTimer, type Guarded } from '@sluice/base';
import { readFrom, WrappedSocket } from '../common/wrapped-socket.ts';
import type { Bucket } from './bucket.ts';

/** Reads from a socket at the rate that the token buckets permit. */
export class ThrottledSocket extends WrappedSocket {
  readonly #from: Duplex;
  readonly #owner: Guarded;
  readonly #buckets: readonly Bucket[];
  /** Maximum chunk size. A full token bucket always covers a chunk of this size. */
  readonly #maxPiece: number;
  readonly #queue: Buffer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #ended = false;
  #hungry = false;
  #latency: number;
  #started = false;

  constructor(from: Duplex, owner: Guarded, buckets: readonly Bucket[], latency: number) {
    super(from, () => this.#wanted());
    this.#from = from;
    this.#owner = owner;
    this.#buckets = buckets;
    this.#maxPiece = Math.min(Number.MAX_SAFE_INTEGER, ...buckets.map(({ burst }) => burst));
    this.#latency = latency;
    this.once('close', () => {
      if (this.#timer !== null) clearTimeout(this.#timer);
    });
  }

  #wanted(): void {
    this.#hungry = true;
    if (!this.#started) {
      this.#started = true;
      this.#wait(this.#latency);
      readFrom(
        this.#from,
        this.#owner,
        (piece) => this.#take(piece),
        () => {
          this.#ended = true;
          this.#pour();
        },
      );
    } else this.#pour();
  }

  #take(piece: Buffer): void {
    for (let at = 0; at < piece.length; at += this.#maxPiece) this.#queue.push(piece.subarray(at, at + this.#maxPiece));
    this.#from.pause();
    this.#pour();
  }

  #wait(milliseconds: number): void {
    if (milliseconds <= 0) return;
    this.#timer = setTimeout(
      guarded(this.#owner, () => {
        this.#timer = null;
        this.#pour();
      }),
      Math.min(milliseconds, maxTimer),
    );
  }

  /** Pushes as many bytes as the rate limit permits at this time. */
  #pour(): void {
    if (this.#timer !== null) return;
    while (this.#hungry && this.#queue.length > 0) {
      const piece = this.#queue.shift() as Buffer;
      const wait = Math.max(0, ...this.#buckets.map((bucket) => bucket.take(piece.length)));
      if (wait > 0) {
        this.#timer = setTimeout(
          guarded(this.#owner, () => {
            this.#timer = null;
            this.#push(piece);
            this.#pour();
          }),
          Math.min(wait, maxTimer),
        );
        return;
      }
      this.#push(piece);
    }
    if (this.#queue.length > 0) return;
    if (this.#ended) this.push(null);
    else if (this.#hungry) this.#from.resume();
  }

  #push(piece: Buffer): void {
    this.#hungry = this.push(piece);
  }
}
