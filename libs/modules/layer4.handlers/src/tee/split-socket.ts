/** The two sockets of a connection that the `tee` handler has split. */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { readFrom, WrappedSocket } from '../common/wrapped-socket.ts';

/** Socket of the branch, which reads a copy of the data. When this socket ends, the connection stays open. */
export class CopiedSocket extends WrappedSocket {
  hungry = false;

  constructor(inner: Duplex, main: SplitSocket) {
    super(inner, () => {
      this.hungry = true;
      main.wanted();
    });
  }

  /** Does nothing, because the handlers after the tee still need the connection. */
  override _final(done: () => void): void {
    done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    done();
  }
}

/** Socket of the handlers after the tee. It reads from the connection for both sockets. */
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

  split(copy: CopiedSocket): void {
    this.#copy = copy;
    copy.once(
      'close',
      guarded(this.#owner, () => this.wanted()),
    );
  }

  /** Reads more data if both sockets are ready. A closed branch always counts as ready. */
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
