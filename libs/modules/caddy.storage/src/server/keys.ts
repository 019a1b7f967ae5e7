/** Keys of storages whose folders are only parts of keys. */
import { SluiceError } from '@sluice/base';

/** Rejects what cannot be a key. */
export function checkKey(key: string): void {
  if (key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..' || segment.includes('\0')))
    throw new SluiceError('ERR_STORAGE_KEY', `${JSON.stringify(key)} can't be a key of a storage`);
}

/** What is right below a folder, by the keys of all that is below it. Sorted. */
export function childrenOf(folder: string, keys: readonly string[]): string[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const children = keys.map((key) => {
    const end = key.indexOf('/', start);
    return end < 0 ? key : key.slice(0, end);
  });
  return [...new Set(children)].sort();
}
