/** OpenAPI descriptions of the certificate routes in the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const time = { type: 'string', format: 'date-time' };

const certificate: JsonObject = {
  type: 'object',
  required: ['managed'],
  properties: {
    identifier: { type: 'string', description: 'Managed name.' },
    subject: text,
    names: texts,
    issuer: text,
    serial_number: text,
    key_algorithm: text,
    fingerprint: { type: 'string', description: 'SHA-256, in hexadecimal.' },
    not_before: time,
    not_after: time,
    tags: texts,
    source: { type: 'string', description: 'File path or storage key of the certificate.' },
    managed: { type: 'boolean', description: '`true` if this server obtains and renews the certificate.' },
    issuers: texts,
    last_error: { type: ['string', 'null'] },
    ocsp: { type: 'object' },
    next_attempt: { type: ['string', 'null'], format: 'date-time' },
  },
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /certificates': {
    summary: 'Lists certificates that are served or being obtained',
    query: { name: { type: 'string', description: 'Return only certificates for this name.' } },
    responses: {
      '200': {
        description: 'The certificates.',
        content: {
          'application/json': {
            type: 'array',
            items: certificate,
          },
        },
      },
    },
  },
  'POST /certificates/:name/renew': {
    summary: 'Renews a managed certificate now, or retries obtaining it',
    description:
      'The current certificate is served until the new one is available. The result is reported by `GET /certificates` and in events.',
    responses: {
      '200': { description: 'The renewal has started.', content: { 'application/json': certificate } },
      '404': { description: 'This server does not manage a certificate for this name.' },
    },
  },
};
