/** The two sides of a split connection. */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { readFrom, WrappedSocket } from '../common/wrapped-socket.ts';

/** Branch side: reads copies, and its end does not end the connection. */
export class CopiedSocket extends WrappedSocket {
  hungry = false;

  constructor(inner: Duplex, main: SplitSocket) {
    super(inner, () => {
      this.hungry = true;
      main.wanted();
    });
  }

  /** The client stays connected for the handlers after the tee. */
  override _final(done: () => void): void {
    done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    done();
  }
}

/** Side of the handlers after the tee. Reads the connection for both sides. */
export class SplitSocket extends WrappedSocket {
  #copy: CopiedSocket | null = null;
  readonly #from: Duplex;
  readonly #owner: Guarded;
  #hungry = false;
  #started = false;

  constructor(from: Duplex, owner: Guarded) {
    super(from, () => {
      this.#hungry = true;
      this.wanted();
    });
    this.#from = from;
    this.#owner = owner;
  }

  /** Gives a copy to a branch. */
  split(copy: CopiedSocket): void {
    this.#copy = copy;
    copy.once(
      'close',
      guarded(this.#owner, () => this.wanted()),
    );
  }

  /** Reads more if both sides are ready. A branch that has ended is always ready. */
  wanted(): void {
    const copy = this.#copy;
    if (!this.#hungry || (copy !== null && !copy.hungry && !copy.destroyed)) return;
    if (this.#started) {
      this.#from.resume();
      return;
    }
    this.#started = true;
    readFrom(
      this.#from,
      this.#owner,
      (piece) => this.#give(piece),
      () => {
        this.push(null);
        copy?.push(null);
      },
    );
  }

  #give(piece: Buffer): void {
    const copy = this.#copy;
    this.#hungry = this.push(piece);
    if (copy !== null && !copy.destroyed) copy.hungry = copy.push(piece);
    if (!this.#hungry || (copy !== null && !copy.destroyed && !copy.hungry)) this.#from.pause();
  }
}
