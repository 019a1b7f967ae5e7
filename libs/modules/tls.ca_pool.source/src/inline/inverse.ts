/** Certificates that stand in the configuration as `inline`. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `inline { trust_der CERTIFICATE }`, a line for each. */
export const writeInline: WriteModule = (options) =>
  isObject(options)
    ? [{ block: words(options['trusted_ca_certs']).map((each) => ({ words: ['trust_der', each] })) }]
    : null;
