/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_QLOGS: {
    meaning: 'A request for QUIC connection logs (qlog) has invalid parameters.',
    advice:
      'Correct the key named in the message; `GET /openapi.json` lists all keys. To stop logging, call `DELETE /qlogs`.',
  },
  ERR_SAMPLES: {
    meaning: 'A request to `/samples` has invalid parameters or content.',
    advice: 'Correct the part named in the message. `GET /openapi.json` lists the parameters.',
  },
  ERR_STATS: {
    meaning: 'A statistics request has invalid parameters.',
    advice: 'Correct the parameter named in the message. `GET /openapi.json` lists the parameters.',
  },
  ERR_TRACES: {
    meaning: 'A request to record traces has invalid parameters.',
    advice:
      'Correct the key named in the message; `GET /openapi.json` lists all keys. To stop recording, call `DELETE /traces`.',
  },
};
