/** Error codes that this package defines; `docs/errors.md` documents them. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_LABEL: {
    meaning: 'A container label contains an invalid template or value.',
    advice: 'Correct the label named in the message. The other containers are still served.',
  },
  ERR_PROVIDER_OBJECT: {
    meaning: 'A Kubernetes object contains an unsupported value.',
    advice: 'Correct the object named in the message. Its other rules and all other objects are still served.',
  },
  ERR_PROVIDER_SOURCE: {
    meaning: 'The source of a provider is unavailable or sent an unexpected response.',
    advice:
      'Check the address and permissions of the container engine or the Kubernetes API server. The last valid configuration stays in effect, and the provider retries.',
  },
};
