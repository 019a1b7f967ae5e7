/** OpenAPI description of the `dynamic_dns` admin route. */
import type { AdminOperations } from '@sluice/registry';

const texts = { type: 'array', items: { type: 'string' } };
const time = { type: ['string', 'null'], format: 'date-time' };

export const operations: AdminOperations = {
  'GET /dynamic_dns': {
    summary: 'Returns the state of dynamic DNS',
    responses: {
      '200': {
        description: 'The state.',
        content: {
          'application/json': {
            type: 'object',
            required: ['addresses', 'names', 'last_check', 'last_error'],
            properties: {
              addresses: { ...texts, description: 'Public IP addresses of this machine.' },
              names: { ...texts, description: 'Fully qualified names of the records.' },
              last_check: { ...time, description: 'Time of the last check.' },
              last_error: { type: ['string', 'null'], description: 'Error that occurred in the last check.' },
            },
          },
        },
      },
      '404': { description: 'The `dynamic_dns` app is not configured.' },
    },
  },
};
