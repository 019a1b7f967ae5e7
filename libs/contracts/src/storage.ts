/** Storage interface for certificates, keys, and other data. Implementations are file systems and remote stores. */
import { appToken, namespace, token, type AppToken, type Namespace, type Token } from '@sluice/registry';

/** Result of {@link Storage.stat}. */
export interface StoredInfo {
  readonly key: string;
  /** Modification time, in milliseconds since the Unix epoch. */
  readonly modified: number;
  /** Size in bytes. 0 for a directory. */
  readonly size: number;
  /** True for a key with a value. False for a directory, which has no value but contains other keys. */
  readonly terminal: boolean;
}

/** An acquired lock. */
export interface StorageLock {
  /** Signal that is aborted if the lock is lost before it is released, for example because the process was suspended. */
  readonly lost: AbortSignal;
  /**
   * Sets values in one transaction, and removes keys whose value is `null`. If the lock was lost, rejects with `ERR_STORAGE_LOCK` and
   * changes nothing. This method exists only if the store can check the lock in the same transaction. The check prevents a suspended lock
   * holder from overwriting newer values.
   */
  write?(values: ReadonlyMap<string, Buffer | string | null>): Promise<void>;
  /** Sets or removes a single value like {@link write}, for stores that don't support transactions with several keys. */
  writeOne?(key: string, value: Buffer | string | null): Promise<void>;
  /** Releases the lock. Never rejects. Repeated calls have no effect. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Signal that cancels waiting for the lock. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Key-value storage. Keys are paths such as `pki/authorities/local/root.crt`. Segments are separated by slashes, and must not be empty,
 * `.`, or `..`. Encode external text with {@link safeSegment}.
 *
 * Threads, processes, and machines can use a storage concurrently. Methods reject if the store fails. A missing key is not a failure.
 */
export interface Storage {
  /** Returns the value of a key. Returns `null` if the key does not exist. */
  load(key: string): Promise<Buffer | null>;
  /** Sets a value atomically. Readers see either the old or the new value, even after a crash. */
  store(key: string, value: Buffer | string): Promise<void>;
  /** Removes a key and all keys below it. */
  delete(key: string): Promise<void>;
  /** Reports whether a key exists, as a value or as a directory. */
  exists(key: string): Promise<boolean>;
  /**
   * Returns the direct children of `prefix` in sorted order, including directories. If `recursive` is true, returns all values below
   * `prefix` but no directories.
   */
  list(prefix: string, recursive?: boolean): Promise<readonly string[]>;
  /** Returns the metadata of a key. Returns `null` if the key does not exist. */
  stat(key: string): Promise<StoredInfo | null>;
  /** Waits for a named lock and acquires it. If the lock's owner crashes, the lock expires. */
  lock(name: string, options?: LockOptions): Promise<StorageLock>;
}

/**
 * Sets a value while a lock is held. Removes the key if the value is `null`. Stores that can check the lock reject the write if the lock
 * was lost.
 */
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

/** Module namespace `caddy.storage`, with the inline key `module`. */
export const storages: Namespace<Storage> = namespace<Storage>('caddy.storage');

/** Lock timing of a storage module, in milliseconds. */
export interface StorageTimes {
  /** Time after which a lock expires unless its owner renews the lock. */
  readonly span: number;
  /** Maximum interval between attempts to acquire a lock. */
  readonly poll: number;
}

/** Service token that overrides the default lock timing of storage modules, for tests. */
export const storageTimesToken: Token<StorageTimes> = token<StorageTimes>('storage_times');

/** Token for the storage that the `storage` section configures. Available through `context.app` or `reconciler.app`. */
export const storageToken: AppToken<Storage> = appToken<Storage>('storage');

/** Encodes arbitrary text, such as a host name, as a single key segment. Different strings yield different segments. */
export function safeSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[*'()!~]/g, percent);
  return /^\.*$/.test(encoded) ? `%${encoded.replaceAll('.', '%2E')}` : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
