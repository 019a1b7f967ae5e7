/** Several pools as `combined`. */
import { isObject } from '@sluice/base';
import { moduleLines, type WriteModule } from '@sluice/caddyfile';

/** `combined { source POOL … }` */
export const writeCombined: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const source = { option: 'source', namespace: 'tls.ca_pool.source', key: 'provider' };
  return [{ block: await moduleLines(source, options['sources'], writer) }];
};
