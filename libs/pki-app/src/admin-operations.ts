/** OpenAPI descriptions of the CA endpoints. */
import type { AdminOperations } from '@sluice/registry';

const path = { id: 'ID of the certificate authority, such as `local`.' };
const text = { type: 'string' };

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /pki/ca/:id': {
    summary: 'Shows a certificate authority',
    path,
    responses: {
      '200': {
        description: 'The certificate authority.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              id: text,
              name: text,
              root_common_name: text,
              intermediate_common_name: text,
              root_certificate: { type: 'string', description: 'In PEM format.' },
              intermediate_certificate: { type: 'string', description: 'In PEM format.' },
            },
          },
        },
      },
    },
  },
  'GET /pki/ca/:id/certificates': {
    summary: 'Returns the certificates of a certificate authority',
    path,
    responses: {
      '200': {
        description: 'Intermediate and root certificates of the authority, in PEM format.',
        content: { 'application/pem-certificate-chain': text },
      },
    },
  },
  'GET /pki/{*rest}': {
    summary: 'Lists the available PKI endpoints',
    responses: {
      '404': {
        description: 'The endpoint does not exist. The message lists the available endpoints.',
        content: { 'application/json': { type: 'object' } },
      },
    },
  },
};
