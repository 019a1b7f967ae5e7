/** Tries storages before certificates are ordered that could not be kept. */
import { randomBytes } from 'node:crypto';
import { SluiceError, messageOf } from '@sluice/base';
import type { Storage } from '@sluice/contracts';

/** How long a storage that was good is taken to be so, in milliseconds. */
const goodFor = 10 * 60_000;

/** Remembers which storages were tried. */
export class StorageCheck {
  /** Until when each is good, in milliseconds of `performance.now()`. */
  readonly #good = new WeakMap<Storage, number>();

  /** Writes, reads and removes a value, unless that went well just now. Rejects with what does not work. */
  async check(storage: Storage): Promise<void> {
    if ((this.#good.get(storage) ?? 0) > performance.now()) return;
    const key = `rw_test_${randomBytes(8).toString('hex')}`;
    try {
      const value = randomBytes(64).toString('hex');
      await storage.store(key, value);
      const read = await storage.load(key);
      await storage.delete(key);
      if (read?.toString() !== value) throw new SluiceError('ERR_ISSUANCE', 'data read differs from data written');
    } catch (error) {
      throw new SluiceError('ERR_ISSUANCE', `storage test failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
    this.#good.set(storage, performance.now() + goodFor);
  }
}
