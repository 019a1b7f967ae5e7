/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_STATS: {
    meaning: 'The parameters of a request for statistics are invalid.',
    advice: 'The message gives the reason; `GET /openapi.json` lists the parameters.',
  },
  ERR_TRACES: {
    meaning: 'A recording of requests cannot be started with these parameters.',
    advice: 'The message names the key; `GET /openapi.json` lists them all. `DELETE /traces` ends recordings.',
  },
};
