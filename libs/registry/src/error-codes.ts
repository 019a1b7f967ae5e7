/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_MANIFEST: {
    meaning: 'The key `sluice` in the package.json of a module package is wrong.',
    advice: 'Write the manifest again with `sluice manifest`.',
  },
  ERR_MODULE_DUPLICATE: {
    meaning: 'Two packages register a module, a section, a check or another contribution under the same name.',
    advice: 'Leave out one of the packages; the message names what they share.',
  },
  ERR_MODULE_MISTAKE: {
    meaning: 'A module has a programming mistake: it threw what no option can cause.',
    advice: 'Report it to the author of the module, with the place that the message names.',
  },
};
