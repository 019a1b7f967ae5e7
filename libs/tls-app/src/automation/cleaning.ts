/** Removes expired certificates, expired OCSP responses and old failure records from storage. */
import { X509Certificate } from 'node:crypto';
import { maxTimer, taskOf, unawaited, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import { ocspFolder } from '../ocsp/staple-store.ts';
import { certificatesFolder } from './certificate-store.ts';

const day = 86_400_000;
/** Time to keep expired certificates for inspection, in milliseconds. */
const grace = 14 * day;
/** Age at which failure records are deleted, in milliseconds. By then, the name is no longer in use. */
const attemptsGrace = 30 * day;
/** Delay before the first cleanup after startup, in milliseconds. */
const soon = 60_000;
const attemptsFolder = 'certificate_attempts';

/** Periodically cleans up the configured storage. */
export class StorageCleaning {
  readonly #log: Logger;
  #storage: Storage | null = null;
  #interval = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Applies a configuration. `interval` is in milliseconds, and 0 disables the cleanup. */
  use(storage: Storage, interval: number): void {
    if (storage === this.#storage && interval === this.#interval) return;
    this.stop();
    this.#storage = storage;
    this.#interval = interval;
    if (interval > 0) this.#schedule(Math.min(interval, soon));
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#storage = null;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(() => unawaited(taskOf('tls'), this.#clean()), Math.min(delay, maxTimer)).unref();
  }

  async #clean(): Promise<void> {
    const storage = this.#storage;
    if (storage !== null) await cleanStorage(storage, this.#log);
    if (this.#storage === storage && storage !== null) this.#schedule(this.#interval);
  }
}

/** Cleans up a storage. Only one process does so at a time. Never rejects, and keeps items that cannot be read. */
export async function cleanStorage(storage: Storage, log: Logger): Promise<void> {
  const now = Date.now();
  try {
    const lock = await storage.lock('storage_clean', { signal: AbortSignal.timeout(60_000) });
    try {
      for (const key of await storage.list(certificatesFolder, true))
        if (key.endsWith('.crt') && (await hasExpired(storage, key, now - grace))) await removeAll(storage, key, log);
      for (const key of await storage.list(ocspFolder, true))
        if (await hasLapsed(storage, key, now)) await storage.delete(key);
      for (const key of await storage.list(attemptsFolder, true)) {
        const info = await storage.stat(key);
        if (info !== null && info.modified > 0 && info.modified < now - attemptsGrace) await storage.delete(key);
      }
    } finally {
      await lock.release();
    }
  } catch (error) {
    log.error('failed to remove expired items from storage', { error });
  }
}

async function hasExpired(storage: Storage, key: string, before: number): Promise<boolean> {
  try {
    const value = await storage.load(key);
    return value !== null && new X509Certificate(value).validToDate.getTime() < before;
  } catch {
    return false;
  }
}

/** Reports whether an OCSP response has expired. */
async function hasLapsed(storage: Storage, key: string, now: number): Promise<boolean> {
  try {
    const value = await storage.load(key);
    const { endOf } = await import('../ocsp/protocol.ts');
    return value !== null && endOf(value) < now;
  } catch {
    return false;
  }
}

/** Deletes a certificate, its key and its metadata. Also deletes their directory if it is empty. */
async function removeAll(storage: Storage, key: string, log: Logger): Promise<void> {
  const stem = key.slice(0, -'.crt'.length);
  for (const kind of ['crt', 'key', 'json', 'new']) await storage.delete(`${stem}.${kind}`);
  const folder = key.slice(0, key.lastIndexOf('/'));
  if ((await storage.list(folder)).length === 0) await storage.delete(folder);
  log.info('removed expired certificate from storage', { key });
}
