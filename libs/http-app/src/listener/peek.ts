/** Looks at the first bytes of a connection, and puts back what is not used of them. */
import type { Socket } from 'node:net';
import { connectionOf, failOwner, guarded, type Guarded } from '@sluice/base';
import { isDirect } from '../engine/index.ts';

/** What {@link FirstBytes.look} gives while more bytes are needed. */
export const undecided = -1;

/** Who decides by the first bytes of a connection. */
export interface FirstBytes {
  /**
   * Looks at `bytes[0..end)`, which is all that came so far and is overwritten after the call. Gives how many of them are
   * used up, or {@link undecided}. Called again with more bytes until it is decided, or the socket is destroyed.
   */
  look(bytes: Buffer, end: number): number;
  /** It is decided, and the socket has everything again that was not used. */
  decided(): void;
}

/**
 * Peeks at one socket, until it is decided or {@link stop}ped. A client that ends the connection before is not waited for.
 * The socket needs a listener for `error`, as all have that are on their way through the chain of a listener.
 */
export class Peek implements Guarded {
  readonly #socket: Socket;
  readonly #by: FirstBytes;
  /** What came before, while it is undecided. */
  #kept: Buffer | null = null;
  #over = false;

  constructor(socket: Socket, by: FirstBytes) {
    this.#socket = socket;
    this.#by = by;
  }

  /** Begins to read. May decide at once, if there is something to read. */
  start(): void {
    const socket = this.#socket;
    socket.once('end', this.#onEnd);
    if (!isDirect(socket)) {
      socket.on('readable', this.#onReadable);
      return;
    }
    socket.directReader = this.#onBytes;
    if (socket.readableLength > 0) this.#onReadable();
  }

  /** Gives up: everything that was read is put back. Does nothing once it is decided. */
  stop(): void {
    if (!this.#over) this.#release(this.#kept);
  }

  readonly #onReadable = (): void => {
    const bytes = this.#socket.read() as Buffer | null;
    if (bytes !== null && !this.#over) this.#onBytes(bytes, bytes.length);
  };

  /** Whoever looks, and whatever comes after, may throw. */
  fault(error: unknown): void {
    this.#over = true;
    failOwner(connectionOf(this.#socket), error);
  }

  readonly #onBytes = guarded(this, (bytes: Buffer, end: number) => {
    const kept = this.#kept;
    const all = kept === null ? bytes : Buffer.concat([kept, bytes.subarray(0, end)]);
    const size = kept === null ? end : all.length;
    const used = this.#by.look(all, size);
    if (this.#socket.destroyed || this.#over) return;
    if (used === undecided) {
      // The bytes of a direct socket are overwritten by whoever reads next.
      this.#kept = kept === null ? Buffer.from(bytes.subarray(0, end)) : all;
      return;
    }
    this.#release(used < size ? Buffer.from(all.subarray(used, size)) : null);
    this.#by.decided();
  });

  readonly #onEnd = (): void => {
    this.#over = true;
    this.#socket.destroy();
  };

  #release(rest: Buffer | null): void {
    const socket = this.#socket;
    this.#over = true;
    this.#kept = null;
    socket.off('end', this.#onEnd);
    if (isDirect(socket)) socket.directReader = null;
    else socket.off('readable', this.#onReadable);
    if (rest !== null) socket.unshift(rest);
  }
}
