/**
 * Detects replayed early data (RFC 8446 §8.2). Records the random values of ClientHello messages in memory that all threads share. TLS
 * accepts early data only within 11 seconds of the time that the ticket implies, so older records are not needed. Tickets are bound to this
 * memory. Early data is therefore rejected after a restart, or on another server with the same ticket keys.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { EarlyDataGuard } from '@sluice/contracts';
import { sharedMemoryToken } from '@sluice/threads';
import type { Context } from '@sluice/registry';

/** Number of records. If too many of them are in use, early data is rejected. */
const slots = 1 << 16;
/** Maximum number of hash table slots to probe for a record. */
const maxProbes = 16;
/** Length of a recording period, in nanoseconds (15 seconds). Records are kept for one to two periods. */
const period = 15n * 1_000_000_000n;
const idWords = 2;
const bytes = 8 * (idWords + slots);
const hashMask = (1n << 48n) - 1n;

export class ReplayGuard implements EarlyDataGuard {
  readonly binding: Buffer;
  readonly #id = Buffer.alloc(8 * idWords);
  /** The memory's ID, followed by the records: a 48-bit hash and a 16-bit period. 0 marks an empty slot. */
  readonly #words: BigInt64Array;
  readonly #now: () => bigint;

  /**
   * `parameters` contains settings that clients may rely on in early data (RFC 9000 §7.4.1, RFC 9114 §7.2.4.2). `now` reads a clock that
   * all threads share, in nanoseconds.
   */
  constructor(memory: SharedArrayBuffer, parameters: string, now: () => bigint = process.hrtime.bigint) {
    this.#words = new BigInt64Array(memory);
    this.#now = now;
    for (let i = 0; i < idWords; i++) {
      Atomics.compareExchange(this.#words, i, 0n, randomBytes(8).readBigInt64LE() | 1n);
      this.#id.writeBigInt64LE(Atomics.load(this.#words, i), 8 * i);
    }
    this.binding = createHash('sha256').update(this.#id).update(parameters).digest();
  }

  /** Returns the replay guard shared by all threads and configurations. */
  static async acquire(parameters: string, context: Context): Promise<ReplayGuard> {
    const memory = await context.find(sharedMemoryToken)?.acquire('http.early_data', bytes, context);
    return new ReplayGuard(memory ?? new SharedArrayBuffer(bytes), parameters);
  }

  admit(random: Buffer): boolean {
    const hash = createHash('sha256').update(this.#id).update(random).digest();
    const now = (this.#now() / period + 1n) & 0xffffn;
    const record = BigInt.asIntN(64, ((hash.readBigUInt64LE() & hashMask) << 16n) | now);
    const start = hash.readUInt32LE(8);
    for (let attempt = 0; attempt < maxProbes; attempt++) {
      const { seen, free } = this.#find(start, record, now);
      if (seen >= 0 || free < 0) return false;
      const before = Atomics.load(this.#words, free);
      if (this.#isInUse(before, now) || Atomics.compareExchange(this.#words, free, before, record) !== before) continue;
      // Search again, because another thread may have recorded the same value in another slot in the meantime.
      return this.#find(start, record, now, free).seen < 0;
    }
    return false;
  }

  /** Returns the slot of an equal record other than `own`, and the first free slot. -1 means that there is none. */
  #find(start: number, record: bigint, now: bigint, own = -1): { readonly seen: number; readonly free: number } {
    let free = -1;
    for (let i = 0; i < maxProbes; i++) {
      const at = idWords + ((start + i) % slots);
      const there = Atomics.load(this.#words, at);
      if (!this.#isInUse(there, now)) {
        if (free < 0) free = at;
      } else if (there >> 16n === record >> 16n && at !== own) return { seen: at, free };
    }
    return { seen: -1, free };
  }

  #isInUse(record: bigint, now: bigint): boolean {
    if (record === 0n) return false;
    const age = (now - record) & 0xffffn;
    // Also accept age -1, because the clock of another thread may already be in the next period.
    return age <= 1n || age === 0xffffn;
  }
}
