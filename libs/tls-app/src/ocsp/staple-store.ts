/** OCSP responses in a storage, as DER, under the keys of the reference: `ocsp/<name>-<FNV-1a of the chain as PEM>`. */
import type { X509Certificate } from 'node:crypto';
import { type Logger } from '@sluice/base';
import { writeUnder, type Storage, type StorageLock } from '@sluice/contracts';
import { safeName } from '../safe-name.ts';

/** Folder of all responses. */
export const ocspFolder = 'ocsp';

/** Longest wait for another server that asks, in milliseconds. */
const lockPatience = 20_000;

/** Where the response about a certificate is kept; `pems` is its chain, a text for each. */
export function stapleKey(leaf: X509Certificate, pems: readonly string[], names: readonly string[]): string {
  const commonName = leaf.subject?.split('\n').find((line) => line.startsWith('CN='));
  const name = commonName?.slice('CN='.length) ?? names[0] ?? '';
  return `${ocspFolder}/${safeName(name)}-${fnv1a(Buffer.from(pems.join(''))).toString(16)}`;
}

/** Where a response is kept, and under which lock; `null` for none. */
interface StaplePlace {
  readonly storage: Storage;
  readonly lock: StorageLock | null;
  readonly key: string;
  readonly log: Logger;
}

/** Waits for the lock under which a response is asked for; `null` where it cannot be had: then several servers may ask. */
export async function lockStaple(storage: Storage, key: string, signal: AbortSignal): Promise<StorageLock | null> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(lockPatience)]);
  try {
    return await storage.lock(key, { signal: patience });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Keeps a response, or with `null` removes it. Never rejects: it is served from memory. */
export async function keepStaple({ storage, lock, key, log }: StaplePlace, response: Buffer | null): Promise<void> {
  try {
    if (lock !== null) await writeUnder(lock, storage, key, response);
    else if (response === null) await storage.delete(key);
    else await storage.store(key, response);
  } catch (error) {
    log.warn('failed to store OCSP response', { key, error });
  }
}

/** FNV-1a with 32 bits; it distinguishes files, no more. */
function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
