/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_LABEL: {
    meaning: 'A label of a container has an invalid template.',
    advice: 'Correct the label that the message names. The other containers are served meanwhile.',
  },
  ERR_PROVIDER_OBJECT: {
    meaning: 'An object of a cluster has a value that is not supported.',
    advice: 'Correct the object that the message names. Its other rules and all other objects are served.',
  },
  ERR_PROVIDER_SOURCE: {
    meaning: 'The source of a provider is unavailable, or its response is unexpected.',
    advice:
      'Check the address and permissions of the container engine or the Kubernetes API server. The last configuration stays in effect, and the provider retries.',
  },
};
