/** Where certificates, keys and other data are kept: the contract that file systems and remote stores implement. */
import { appToken, namespace, token, type AppToken, type Namespace, type Token } from '@sluice/registry';

/** What {@link Storage.stat} tells of a key. */
export interface StoredInfo {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** In bytes; 0 for a folder. */
  readonly size: number;
  /** False for a folder: a key that only has others below it. */
  readonly terminal: boolean;
}

/** A lock that is held. */
export interface StorageLock {
  /** Aborted when the lock was lost although it was not released, such as after the process was suspended for long. */
  readonly lost: AbortSignal;
  /**
   * Sets values, or removes those that are `null`: all of them, if the lock is still held, or none; then it rejects with ERR_STORAGE_LOCK. For stores that can look at
   * the lock in the same transaction: so a holder that was suspended for long cannot overwrite what another has written since. Else it is missing.
   */
  write?(values: ReadonlyMap<string, Buffer | string | null>): Promise<void>;
  /** The same for one value, for stores that know no transactions of several: in place of {@link write}. */
  writeOne?(key: string, value: Buffer | string | null): Promise<void>;
  /** Gives the lock back. Never rejects, and does nothing the second time. */
  release(): Promise<void>;
}

/** How {@link Storage.lock} waits. */
export interface LockOptions {
  /** Ends the wait: the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Values under keys such as `pki/authorities/local/root.crt`: segments with slashes between, none of them empty, `.` or
 * `..`; make a segment of foreign text with {@link safeSegment}. Used by several threads, processes and machines at once.
 * Every failure of the store itself rejects; that a key is not there is no failure.
 */
export interface Storage {
  /** Value of a key, or `null` where there is none. */
  load(key: string): Promise<Buffer | null>;
  /** Sets a value: readers see the old one or the new one, also after a crash. */
  store(key: string, value: Buffer | string): Promise<void>;
  /** Removes a key and all below it. */
  delete(key: string): Promise<void>;
  /** Whether there is a value or a folder. */
  exists(key: string): Promise<boolean>;
  /** Keys right below `prefix`, folders among them; with `recursive` all values below it and no folder. Sorted. */
  list(prefix: string, recursive?: boolean): Promise<readonly string[]>;
  /** What is known of a key, or `null` where there is none. */
  stat(key: string): Promise<StoredInfo | null>;
  /** Waits for the lock of a name. One whose holder died becomes free after a while. */
  lock(name: string, options?: LockOptions): Promise<StorageLock>;
}

/** Sets a value, or removes it for `null`, under a lock: if that is still held, as well as the store can look at it in the moment of the write. */
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

/** How long locks of a storage last. In milliseconds. */
export interface StorageTimes {
  /** After how long without a word of its holder a lock is free. */
  readonly span: number;
  /** Longest wait between two looks at a lock that is taken. */
  readonly poll: number;
}

/** Times in place of the usual ones, for storages that a module hosts; as trials do, which cannot wait for long. */
export const storageTimesToken: Token<StorageTimes> = token<StorageTimes>('storage_times');

/** The storage of the configuration: the section `storage`. Reach it with `context.app` or `reconciler.app`. */
export const storageToken: AppToken<Storage> = appToken<Storage>('storage');

/** Makes one segment of a key of any text, such as the name of a host; different texts give different segments. */
export function safeSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[*'()!~]/g, percent);
  return /^\.*$/.test(encoded) ? `%${encoded.replaceAll('.', '%2E')}` : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
