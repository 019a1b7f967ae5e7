/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_QLOGS: {
    meaning: 'Invalid parameters for logs of QUIC connections.',
    advice: 'The message names the key; `GET /openapi.json` lists all keys. `DELETE /qlogs` stops all requests.',
  },
  ERR_SAMPLES: {
    meaning: 'Invalid parameters or content for the sample of recorded requests.',
    advice: 'The message names the parameter or part; `GET /openapi.json` lists the parameters.',
  },
  ERR_STATS: {
    meaning: 'Invalid parameters of a statistics request.',
    advice: 'See the message for the reason; `GET /openapi.json` lists the parameters.',
  },
  ERR_TRACES: {
    meaning: 'Invalid parameters of a request recording.',
    advice: 'The message names the key; `GET /openapi.json` lists all keys. `DELETE /traces` stops recordings.',
  },
};
