/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_STORAGE_KEY: {
    meaning: 'A storage key resolves to a path outside of the storage directory.',
    advice: 'For module authors: use names without `..`.',
  },
  ERR_STORAGE_LOCK: {
    meaning: 'Another process took over a storage lock, so the operation that held it was aborted.',
    advice:
      'None, unless it is frequent. In that case, the storage is too slow, or the clocks of the servers that share it differ.',
  },
  ERR_STORAGE_SERVER: {
    meaning: 'The storage server is unavailable, or rejected a request.',
    advice:
      'Check the storage server; the message contains its response. Loaded certificates are served in the meantime.',
  },
  ERR_STORAGE_VALUE: {
    meaning: 'A stored value has an unsupported format, such as an encrypted one.',
    advice: 'Store it unencrypted, or delete the value to obtain the certificate again.',
  },
};
