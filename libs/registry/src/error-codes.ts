/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_MANIFEST: {
    meaning: 'The `sluice` key in the package.json of a module package is invalid.',
    advice: 'Regenerate the manifest with `sluice manifest`.',
  },
  ERR_MODULE_DUPLICATE: {
    meaning:
      'Two packages register a module, a configuration section, a lint check or another contribution with the same name.',
    advice: 'Remove one of the packages. The message contains the conflicting names.',
  },
  ERR_MODULE_MISTAKE: {
    meaning: 'A module has a bug: it threw an error that was not caused by its options.',
    advice: 'Report the problem to the module author, and include the path from the message.',
  },
};
