/** Tests the storage before certificates are ordered. A certificate that cannot be stored would be wasted. */
import { randomBytes } from 'node:crypto';
import { SluiceError, messageOf } from '@sluice/base';
import type { Storage } from '@sluice/contracts';

/** Time for which a successful test remains valid, in milliseconds. */
const goodFor = 10 * 60_000;

/** Tested storages. */
export class StorageCheck {
  /** Expiration times of successful storage tests, as `performance.now()` timestamps. */
  readonly #good = new WeakMap<Storage, number>();

  /** Writes, reads and deletes a test value, unless the storage was tested recently. Rejects if the test fails. */
  async check(storage: Storage): Promise<void> {
    if ((this.#good.get(storage) ?? 0) > performance.now()) return;
    const key = `rw_test_${randomBytes(8).toString('hex')}`;
    try {
      const value = randomBytes(64).toString('hex');
      await storage.store(key, value);
      const read = await storage.load(key);
      await storage.delete(key);
      if (read?.toString() !== value)
        throw new SluiceError('ERR_ISSUANCE', 'the data read from storage differs from the data written');
    } catch (error) {
      throw new SluiceError('ERR_ISSUANCE', `storage test failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
    this.#good.set(storage, performance.now() + goodFor);
  }
}
