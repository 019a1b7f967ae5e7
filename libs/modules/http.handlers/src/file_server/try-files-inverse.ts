/** A rewrite to the first file that is there as `try_files`. */
import { isObject } from '@sluice/base';
import { words, written, type WriteDirective } from '@sluice/caddyfile';

/** `try_files FILE… { policy NAME }` */
export const tryFiles: WriteDirective = (handler, _writer, match) => {
  const file = match?.['file'];
  if (handler['uri'] !== '{http.matchers.file.relative}' || !isObject(file)) return null;
  const policy = words(file['try_policy']).filter((each) => each !== 'first_exist_fallback');
  const block = policy.length === 0 ? [] : [{ words: ['policy', ...policy] }];
  return { ...written(words(file['try_files']), block), matched: true };
};
