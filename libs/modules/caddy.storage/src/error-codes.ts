/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_STORAGE_KEY: {
    meaning: 'A storage key resolves to a path outside of the storage directory.',
    advice: 'Module authors: use names without `..`.',
  },
  ERR_STORAGE_LOCK: {
    meaning: 'Another process took over a storage lock, so the operation that held the lock was aborted.',
    advice:
      'No action is needed unless this error occurs often. In that case, the storage is too slow, or the clocks of the servers that share it differ.',
  },
  ERR_STORAGE_SERVER: {
    meaning: 'The storage server is unavailable, or rejected a request.',
    advice:
      'Check the storage server. The message contains its response. Certificates that are already loaded are still served.',
  },
  ERR_STORAGE_VALUE: {
    meaning: 'A stored value has an unsupported format. For example, it is encrypted.',
    advice: 'Store the value unencrypted, or delete it so that the certificate is obtained again.',
  },
};
