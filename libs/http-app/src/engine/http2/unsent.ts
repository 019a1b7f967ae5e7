/**
 * What clients of HTTP/2 do not read: each stream may hold a piece of its body, and a connection has many streams. The
 * pieces get smaller with their number; all connections of a thread together have a limit.
 */
import { totalmem } from 'node:os';
import { guarded, taskOf } from '@sluice/base';
import { largestPiece } from '../../exchange/response.ts';

/** What the streams of a connection may hold together, in bytes. */
const perConnection = 8 * 1024 * 1024;
const smallestPiece = 16 * 1024;
/** Bytes up to which a stream takes more. */
const mostHeld = 64 * 1024;
/** What all connections of a thread may hold, in bytes. */
const perThread = Math.min(Math.max(memory() / 32, 64 * 1024 * 1024), 256 * 1024 * 1024);
/** How often to look, in milliseconds. A connection is cut that took nothing twice in a row. */
const interval = 1000;

/** What one connection holds. */
export class Unsent {
  /** How many streams there are. */
  streams = 0;
  /** What they were given and the client has not taken, in bytes. */
  held = 0;
  /** How often a stream was read empty. */
  drains = 0;
  /** Ends the connection at once. */
  readonly cut: () => void;
  readonly #limit: ThreadLimit;

  constructor(cut: () => void, limit: ThreadLimit = threadLimit) {
    this.cut = cut;
    this.#limit = limit;
  }

  /** How many bytes a stream should write at a time that has written this many: streams that begin together begin small. */
  pieceSize(written: number): number {
    const most = Math.min(largestPiece, Math.floor(perConnection / this.streams));
    return Math.max(smallestPiece, Math.min(most, written));
  }

  /** A stream holds this much, and waits for the client. Tells whether it may take more. */
  mayTakeMore(held: number): boolean {
    if (held < mostHeld && held * this.streams < perConnection) return true;
    this.#limit.watch(this);
    return false;
  }
}

interface Seen {
  drains: number;
  /** How many times in a row it had taken nothing. */
  idle: number;
}

export class ThreadLimit {
  readonly #most: number;
  readonly #seen = new Map<Unsent, Seen>();
  #timer: NodeJS.Timeout | null = null;

  constructor(most: number = perThread) {
    this.#most = most;
  }

  /** A connection does not take what it is sent. */
  watch(unsent: Unsent): void {
    if (this.#seen.has(unsent)) return;
    this.#seen.set(unsent, { drains: unsent.drains, idle: 0 });
    this.#timer ??= setInterval(
      guarded(taskOf('http'), () => this.#look()),
      interval,
    ).unref();
  }

  /** Cuts connections that took nothing, those that hold most first, while all together hold too much. */
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
