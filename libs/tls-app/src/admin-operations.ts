/** What the route of certificates is for, in the description of the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const time = { type: 'string', format: 'date-time' };

const certificate: JsonObject = {
  type: 'object',
  required: ['managed'],
  properties: {
    identifier: { type: 'string', description: 'The name that is managed.' },
    subject: text,
    names: texts,
    issuer: text,
    serial_number: text,
    key_algorithm: text,
    fingerprint: { type: 'string', description: 'SHA-256, in hexadecimal.' },
    not_before: time,
    not_after: time,
    tags: texts,
    source: { type: 'string', description: 'A file, or a key of a storage.' },
    managed: { type: 'boolean', description: 'Whether this server obtains and renews it.' },
    issuers: texts,
    last_error: { type: ['string', 'null'] },
    ocsp: { type: 'object' },
    next_attempt: { type: ['string', 'null'], format: 'date-time' },
  },
};

/** By method and path. */
export const operations: AdminOperations = {
  'GET /certificates': {
    summary: 'The certificates that are served, and those that are to come',
    query: { name: { type: 'string', description: 'Only those for this name.' } },
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
    summary: 'Renew a managed certificate now, or try again to obtain it',
    description:
      'The certificate that is served stays until the other one is there. What came of it is in `GET /certificates` and in the events.',
    responses: {
      '200': { description: 'It is under way.', content: { 'application/json': certificate } },
      '404': { description: 'No certificate is managed for that name.' },
    },
  },
};
