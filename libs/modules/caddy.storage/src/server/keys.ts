/** Keys of storages whose folders are only parts of keys. */
import { SluiceError } from '@sluice/base';

/** Rejects what cannot be a key. */
export function checkKey(key: string): void {
  if (key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..' || segment.includes('\0')))
    throw new SluiceError('ERR_STORAGE_KEY', `${JSON.stringify(key)} can't be a key of a storage`);
}
