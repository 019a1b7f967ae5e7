/**
 * Readiness of a descriptor in the event loop of the thread, by `uv_poll`.
 *
 * A worker thread that is terminated aborts the process if its loop has a handle that Node does not know. So the handle lives in memory of
 * C, which outlives the thread, and is marked as internal to libuv, as those are that libuv makes for itself: a loop with such handles may
 * be closed.
 */
import { guarded, type Guarded } from '@sluice/base';
import { bytesAt, callbackOf, eventLoop } from '../library.ts';
import { system } from './functions.ts';

/** Larger than any handle of libuv, in bytes. */
const handleSize = 512;
/** Where `uv_handle_t.flags` is on 64-bit machines, and two of its bits. */
const flagsAt = 88;
const flag = { ref: 0x08, internal: 0x10 } as const;
/** Events of `uv_poll_start`. */
const event = { readable: 1, writable: 2 } as const;

/** Watches one descriptor until it is closed. The descriptor stays the caller's. */
export class LoopWatch {
  readonly #handle: bigint;
  readonly #memory: Buffer;
  readonly #ready: () => void;
  #events = 0;
  #scheduled = false;
  #closed = false;

  /** `ready` is called in a turn of its own, where promises and ticks run afterwards. What it throws goes to the `fault` of `owner`. */
  constructor(descriptor: number, owner: Guarded, ready: () => void) {
    const { calloc, free, uv_poll_init, uv_unref } = system();
    this.#handle = calloc(1n, BigInt(handleSize));
    if (this.#handle === 0n) throw new Error('no memory for a handle of libuv');
    this.#memory = bytesAt(this.#handle, handleSize);
    if (uv_poll_init(eventLoop(), this.#handle, descriptor) !== 0) {
      free(this.#handle);
      throw new Error('libuv cannot watch the socket');
    }
    const before = this.#flags;
    uv_unref(this.#handle);
    // The layout is as expected if nothing but the reference has changed.
    if ((before & flag.ref) === 0 || this.#flags !== (before & ~flag.ref)) {
      this.#release(0);
      throw new Error('this libuv has another layout of handles');
    }
    this.#flags |= flag.internal;
    const turn = guarded(owner, ready);
    this.#ready = () => {
      this.#scheduled = false;
      if (!this.#closed) turn();
    };
    watches.set(this.#handle, this);
  }

  get #flags(): number {
    return this.#memory.readUInt32LE(flagsAt);
  }

  set #flags(flags: number) {
    this.#memory.writeUInt32LE(flags, flagsAt);
  }

  /** Watches for the given states from now on; neither stops. */
  watch(states: { readonly readable: boolean; readonly writable: boolean }): void {
    const events = (states.readable ? event.readable : 0) | (states.writable ? event.writable : 0);
    if (this.#closed || events === this.#events) return;
    this.#events = events;
    if (events === 0) system().uv_poll_stop(this.#handle);
    else system().uv_poll_start(this.#handle, events, readyCallback());
  }

  /** libuv says so, where neither ticks nor promises would run. */
  schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(this.#ready);
  }

  /** Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    watches.delete(this.#handle);
    this.#release(flag.internal);
  }

  /** libuv lets go of the handle at the end of its turn: the memory is freed later. */
  #release(bits: number): void {
    this.#flags &= ~bits;
    const handle = this.#handle;
    system().uv_close(handle, 0n);
    setImmediate(() => setImmediate(() => system().free(handle)));
  }
}

const watches = new Map<bigint, LoopWatch>();
let callback = 0n;

/** One callback serves all handles of a thread. */
function readyCallback(): bigint {
  if (callback === 0n)
    callback = callbackOf(['v', 'p', 'i', 'i'], (handle) => watches.get(handle)?.schedule(), {
      failure: undefined,
      report: () => undefined,
    });
  return callback;
}
