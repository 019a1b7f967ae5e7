/** Certificates in storage as `storage`. */
import { isObject } from '@sluice/base';
import { moduleLines, words, written, type WriteModule } from '@sluice/caddyfile';

/** `storage KEY… { storage MODULE … }` */
export const writeStorage: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const store = { option: 'storage', namespace: 'caddy.storage', key: 'module' };
  return [written(words(options['pem_keys']), await moduleLines(store, options['storage'], writer))];
};
