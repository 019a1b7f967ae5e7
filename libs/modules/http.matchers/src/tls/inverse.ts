/** The state of a connection as `tls`. */
import { isObject } from '@sluice/base';
import type { WriteModule } from '@sluice/caddyfile';

/** `tls [early_data]` */
export const writeTls: WriteModule = (options) =>
  isObject(options) && options['handshake_complete'] === false ? [{ words: ['early_data'] }] : [{}];
