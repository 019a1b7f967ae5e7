/** What the routes of authorities are for, in the description of the admin API. */
import type { AdminOperations } from '@sluice/registry';

const path = { id: 'Id of the authority, such as `local`.' };
const text = { type: 'string' };

/** By method and path. */
export const operations: AdminOperations = {
  'GET /pki/ca/:id': {
    summary: 'What an authority is',
    path,
    responses: {
      '200': {
        description: 'The authority.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              id: text,
              name: text,
              root_common_name: text,
              intermediate_common_name: text,
              root_certificate: { type: 'string', description: 'As PEM.' },
              intermediate_certificate: { type: 'string', description: 'As PEM.' },
            },
          },
        },
      },
    },
  },
  'GET /pki/ca/:id/certificates': {
    summary: 'The certificates of an authority',
    path,
    responses: {
      '200': {
        description: 'Intermediate and root, as PEM.',
        content: { 'application/pem-certificate-chain': text },
      },
    },
  },
  'GET /pki/{*rest}': {
    summary: 'Says what there is',
    responses: {
      '404': { description: 'There is nothing else.', content: { 'application/json': { type: 'object' } } },
    },
  },
};
