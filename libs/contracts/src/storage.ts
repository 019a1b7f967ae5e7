/** Storage of certificates, keys and other data. Implemented by file systems and remote stores. */
import { appToken, namespace, token, type AppToken, type Namespace, type Token } from '@sluice/registry';

/** Result of {@link Storage.stat}. */
export interface StoredInfo {
  readonly key: string;
  /** Milliseconds since the Unix epoch. */
  readonly modified: number;
  /** Size in bytes; 0 for a directory. */
  readonly size: number;
  /** False for a directory, that is, a key without a value and with keys below it. */
  readonly terminal: boolean;
}

/** An acquired lock. */
export interface StorageLock {
  /** Aborted if the lock is lost without being released, for example after the process was suspended. */
  readonly lost: AbortSignal;
  /**
   * Sets values, or removes `null` values, in one transaction. If the lock was lost, rejects with ERR_STORAGE_LOCK and changes nothing.
   * Present only if the store can check the lock in the same transaction, which prevents a suspended holder from overwriting newer values.
   */
  write?(values: ReadonlyMap<string, Buffer | string | null>): Promise<void>;
  /** Like {@link write}, for stores without multi-key transactions. */
  writeOne?(key: string, value: Buffer | string | null): Promise<void>;
  /** Releases the lock. Never rejects. Idempotent. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Cancels the wait: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Values under keys such as `pki/authorities/local/root.crt`. Segments are separated by slashes and must not be empty,
 * `.` or `..`; encode external text with {@link safeSegment}.
 *
 * Threads, processes and machines use a storage concurrently. Methods reject if the store fails. A missing key is not a
 * failure.
 */
export interface Storage {
  /** Returns the value of a key, or `null` if the key does not exist. */
  load(key: string): Promise<Buffer | null>;
  /** Sets a value atomically: readers see the old or the new value, even after a crash. */
  store(key: string, value: Buffer | string): Promise<void>;
  /** Removes a key and all keys below it. */
  delete(key: string): Promise<void>;
  /** Reports whether a key is a value or a directory. */
  exists(key: string): Promise<boolean>;
  /**
   * Returns the direct children of `prefix`, including directories. If `recursive`, returns all values below it,
   * without directories. Sorted.
   */
  list(prefix: string, recursive?: boolean): Promise<readonly string[]>;
  /** Returns the metadata of a key, or `null` if the key does not exist. */
  stat(key: string): Promise<StoredInfo | null>;
  /** Waits for a named lock. If the owner of a lock has crashed, the lock expires. */
  lock(name: string, options?: LockOptions): Promise<StorageLock>;
}

/** Sets a value, or removes it if `null`, while a lock is held. If the store supports it, the write fails when the lock was lost. */
export async function writeUnder(
  lock: StorageLock,
  storage: Storage,
  key: string,
  value: Buffer | string | null,
): Promise<void> {
  lock.lost.throwIfAborted();
  if (lock.writeOne !== undefined) await lock.writeOne(key, value);
  else if (lock.write !== undefined) await lock.write(new Map([[key, value]]));
  else await (value === null ? storage.delete(key) : storage.store(key, value));
}

/** `caddy.storage`: inline key `module`. */
export const storages: Namespace<Storage> = namespace<Storage>('caddy.storage');

/** Lock timing of a storage, in milliseconds. */
export interface StorageTimes {
  /** Time after which a lock expires unless its owner renews it. */
  readonly span: number;
  /** Maximum interval between attempts to acquire a lock. */
  readonly poll: number;
}

/** Overrides the default lock timing of hosted storages, for tests that cannot wait long. */
export const storageTimesToken: Token<StorageTimes> = token<StorageTimes>('storage_times');

/** The configured storage: the section `storage`. Available through `context.app` or `reconciler.app`. */
export const storageToken: AppToken<Storage> = appToken<Storage>('storage');

/** Encodes any text, such as a host name, as one key segment. Different strings yield different segments. */
export function safeSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[*'()!~]/g, percent);
  return /^\.*$/.test(encoded) ? `%${encoded.replaceAll('.', '%2E')}` : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
