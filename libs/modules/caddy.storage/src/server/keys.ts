/** Validates and lists keys for storage without real directories. */
import { SluiceError } from '@sluice/base';

/** Throws if a storage key is invalid. */
export function checkKey(key: string): void {
  if (key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..' || segment.includes('\0')))
    throw new SluiceError('ERR_STORAGE_KEY', `${JSON.stringify(key)} is not a valid storage key`);
}

/** Returns the direct children of a directory, sorted. `keys` are all keys below the directory. */
export function childrenOf(folder: string, keys: readonly string[]): string[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const children = keys.map((key) => {
    const end = key.indexOf('/', start);
    return end < 0 ? key : key.slice(0, end);
  });
  return [...new Set(children)].sort();
}
