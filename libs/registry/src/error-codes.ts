/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_MANIFEST: {
    meaning: 'The `sluice` key in the package.json of a module package is invalid.',
    advice: 'Generate the manifest again with `sluice manifest`.',
  },
  ERR_MODULE_DUPLICATE: {
    meaning: 'Two packages register a module, a section, a check or another contribution under the same name.',
    advice: 'Remove one of the packages; the message names the conflict.',
  },
  ERR_MODULE_MISTAKE: {
    meaning: 'A module has a programming error: it threw an error that no option can cause.',
    advice: 'Report it to the module author, with the path from the message.',
  },
};
