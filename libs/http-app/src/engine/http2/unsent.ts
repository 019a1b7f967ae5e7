/**
 * Limits the data that the server buffers for HTTP/2 clients that don't read. Each stream may buffer a chunk of its body. Chunks become
 * smaller as the number of streams grows, and all connections of a thread share a limit.
 */
import { totalmem } from 'node:os';
import { guarded, taskOf } from '@sluice/base';
import { largestPiece } from '../../exchange/response.ts';

/** Maximum number of bytes that all streams of a connection may buffer. */
const perConnection = 8 * 1024 * 1024;
const minPieceSize = 16 * 1024;
/** Number of buffered bytes below which a stream accepts more data. */
const maxHeld = 64 * 1024;
/** Maximum number of bytes that all connections of a thread may buffer. */
const perThread = Math.min(Math.max(memory() / 32, 64 * 1024 * 1024), 256 * 1024 * 1024);
/** Interval of the checks, in milliseconds. Connections without progress in two consecutive checks are closed. */
const interval = 1000;

/** Counts the data that one connection buffers. */
export class Unsent {
  streams = 0;
  /** Number of bytes that are written to streams but not yet accepted by the client. */
  held = 0;
  /** Number of times that a stream has sent all of its data. */
  drains = 0;
  /** Closes the connection immediately. */
  readonly cut: () => void;
  readonly #limit: ThreadLimit;

  constructor(cut: () => void, limit: ThreadLimit = threadLimit) {
    this.cut = cut;
    this.#limit = limit;
  }

  /**
   * Returns the chunk size for a stream that has written `written` bytes. Streams start with small chunks, because many streams may start
   * at the same time.
   */
  pieceSize(written: number): number {
    const maxPerStream = Math.min(largestPiece, Math.floor(perConnection / this.streams));
    return Math.max(minPieceSize, Math.min(maxPerStream, written));
  }

  /** Reports whether a stream that buffers `held` bytes for a waiting client may accept more data. */
  mayTakeMore(held: number): boolean {
    if (held < maxHeld && held * this.streams < perConnection) return true;
    this.#limit.watch(this);
    return false;
  }
}

interface Seen {
  drains: number;
  /** Number of consecutive checks without progress. */
  idle: number;
}

export class ThreadLimit {
  readonly #most: number;
  readonly #seen = new Map<Unsent, Seen>();
  #timer: NodeJS.Timeout | null = null;

  constructor(maxPerStream: number = perThread) {
    this.#most = maxPerStream;
  }

  /** Watches a connection whose client is not reading. */
  watch(unsent: Unsent): void {
    if (this.#seen.has(unsent)) return;
    this.#seen.set(unsent, { drains: unsent.drains, idle: 0 });
    this.#timer ??= setInterval(
      guarded(taskOf('http'), () => this.#look()),
      interval,
    ).unref();
  }

  /** Closes stalled connections, starting with the largest, until the total amount of buffered data is within the limit. */
  #look(): void {
    const stalled: { readonly unsent: Unsent; readonly held: number }[] = [];
    let total = 0;
    for (const [unsent, seen] of this.#seen) {
      const { held } = unsent;
      total += held;
      if (held === 0) this.#seen.delete(unsent);
      seen.idle = seen.drains === unsent.drains ? seen.idle + 1 : 0;
      seen.drains = unsent.drains;
      if (seen.idle > 1) stalled.push({ unsent, held });
    }
    if (total > this.#most) {
      stalled.sort((a, b) => b.held - a.held);
      for (const { unsent, held } of stalled) {
        if (total <= this.#most) break;
        total -= held;
        this.#seen.delete(unsent);
        unsent.cut();
      }
    }
    if (this.#seen.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

const threadLimit = new ThreadLimit();
