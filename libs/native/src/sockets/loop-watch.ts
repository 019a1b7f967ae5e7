/**
 * Watches the readiness of a file descriptor in the thread's event loop, through `uv_poll`. When a worker thread terminates, a handle in
 * its loop that Node didn't create aborts the process. The handle therefore lives in C memory that outlives the thread. It is also marked
 * as internal, like libuv's own handles. A loop can be closed while it contains internal handles.
 *
 * libuv also calls back while Node frees the thread, when a JavaScript callback would abort the process. The callback is therefore
 * `uv_handle_set_data(handle, status)`, which only overwrites a word of the handle. An immediate reads this word in every turn of the loop,
 * after libuv's callbacks. The immediate is unreferenced, so that it does not keep the loop from waiting.
 */
import { guarded, type Guarded } from '@sluice/base';
import { bytesAt, eventLoop, symbolAddress } from '../library.ts';
import { system } from './functions.ts';

/** Upper bound for the size of a libuv handle, in bytes. */
const handleSize = 512;
/** Offset of `uv_handle_t.flags` on 64-bit systems, and two flag bits. */
const flagsAt = 88;
const flag = { ref: 0x08, internal: 0x10 } as const;
/** Value of `uv_handle_t.data` until libuv's callback writes the status there. A status is 0 or negative. */
const waiting = 1;
/** Event bits for `uv_poll_start`. */
const event = { readable: 1, writable: 2 } as const;

/** Watches a file descriptor until the watch is closed. The caller keeps ownership of the descriptor. */
export class LoopWatch {
  readonly #handle: bigint;
  readonly #memory: Buffer;
  readonly #data: Int32Array;
  readonly #ready: () => void;
  #events = 0;
  #closed = false;

  /** Calls `ready` in a separate event loop turn. Promises and ticks run afterwards. Passes exceptions to `owner.fault`. */
  constructor(descriptor: number, owner: Guarded, ready: () => void) {
    const { calloc, free, uv_poll_init, uv_unref } = system();
    this.#handle = calloc(1n, BigInt(handleSize));
    if (this.#handle === 0n) throw new Error('cannot allocate a libuv handle');
    this.#memory = bytesAt(this.#handle, handleSize);
    this.#data = new Int32Array(this.#memory.buffer, this.#memory.byteOffset, 1);
    this.#data[0] = waiting;
    if (uv_poll_init(eventLoop(), this.#handle, descriptor) !== 0) {
      free(this.#handle);
      throw new Error('libuv cannot watch the socket');
    }
    const before = this.#flags;
    uv_unref(this.#handle);
    // The struct layout is as expected if only the ref flag has changed between the two reads.
    if ((before & flag.ref) === 0 || this.#flags !== (before & ~flag.ref)) {
      this.#release(0);
      throw new Error('unsupported libuv version: the handle layout differs');
    }
    this.#flags |= flag.internal;
    this.#ready = guarded(owner, ready);
    watches.add(this);
    if (!isChecking) checkInEveryTurn();
  }

  get #flags(): number {
    return this.#memory.readUInt32LE(flagsAt);
  }

  set #flags(flags: number) {
    this.#memory.writeUInt32LE(flags, flagsAt);
  }

  /** Sets the states to watch for. Stops watching if `readable` and `writable` are both false. */
  watch(states: { readonly readable: boolean; readonly writable: boolean }): void {
    const events = (states.readable ? event.readable : 0) | (states.writable ? event.writable : 0);
    if (this.#closed || events === this.#events) return;
    this.#events = events;
    if (events === 0) system().uv_poll_stop(this.#handle);
    else system().uv_poll_start(this.#handle, events, readyCallback());
  }

  /** Runs the callback if libuv found the descriptor ready. */
  check(): void {
    if (this.#data[0] === waiting) return;
    this.#data[0] = waiting;
    this.#ready();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    watches.delete(this);
    this.#release(flag.internal);
  }

  /** Frees the memory later, because libuv releases the handle at the end of the event loop turn. */
  #release(bits: number): void {
    this.#flags &= ~bits;
    const handle = this.#handle;
    system().uv_close(handle, 0n);
    setImmediate(() => setImmediate(() => system().free(handle)));
  }
}

const watches = new Set<LoopWatch>();
let isChecking = false;
let callback = 0n;

function readyCallback(): bigint {
  if (callback === 0n) callback = symbolAddress('uv_handle_set_data');
  return callback;
}

/** Checks the watches of this thread in every turn of the event loop, until all are closed. */
function checkInEveryTurn(): void {
  isChecking = watches.size > 0;
  if (!isChecking) return;
  setImmediate(checkInEveryTurn).unref();
  for (const watch of watches) watch.check();
}
