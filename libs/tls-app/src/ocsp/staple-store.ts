/** Stores OCSP responses in DER format under the same keys as Caddy: `ocsp/<name>-<FNV-1a of the chain as PEM>`. */
import type { X509Certificate } from 'node:crypto';
import { type Logger } from '@sluice/base';
import { writeUnder, type Storage, type StorageLock } from '@sluice/contracts';
import { safeName } from '../safe-name.ts';

/** Storage key prefix of all OCSP responses. */
export const ocspFolder = 'ocsp';

/** Maximum time to wait for the lock while another server fetches an OCSP response, in milliseconds. */
const lockTimeout = 20_000;

/** Returns the storage key for a certificate's OCSP response. `pems` is the certificate chain, with one string per certificate. */
export function stapleKey(leaf: X509Certificate, pems: readonly string[], names: readonly string[]): string {
  const commonName = leaf.subject?.split('\n').find((line) => line.startsWith('CN='));
  const name = commonName?.slice('CN='.length) ?? names[0] ?? '';
  return `${ocspFolder}/${safeName(name)}-${fnv1a(Buffer.from(pems.join(''))).toString(16)}`;
}

/** Storage location and lock of an OCSP response. */
interface StaplePlace {
  readonly storage: Storage;
  readonly lock: StorageLock | null;
  readonly key: string;
  readonly log: Logger;
}

/** Acquires the lock for fetching an OCSP response. Returns `null` on timeout. After a timeout, several servers may fetch the same response. */
export async function lockStaple(storage: Storage, key: string, signal: AbortSignal): Promise<StorageLock | null> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(lockTimeout)]);
  try {
    return await storage.lock(key, { signal: deadline });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Stores an OCSP response. If it is `null`, deletes the stored response. Never rejects, because the response is also kept in memory. */
export async function keepStaple({ storage, lock, key, log }: StaplePlace, response: Buffer | null): Promise<void> {
  try {
    if (lock !== null) await writeUnder(lock, storage, key, response);
    else if (response === null) await storage.delete(key);
    else await storage.store(key, response);
  } catch (error) {
    log.warn('failed to store OCSP response', { key, error });
  }
}

/** Returns the 32-bit FNV-1a hash, which is used only to distinguish files. */
function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
