/** OpenAPI description of the layer 4 admin endpoint. */
import type { AdminOperations } from '@sluice/registry';

const count = { type: 'integer', minimum: 0 };

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /layer4/routes': {
    summary: 'Returns the connections of layer 4 routes',
    description:
      "Returns one entry for each route of the `layer4` app's servers. Connections on all threads are counted.",
    responses: {
      '200': {
        description: 'List of routes with their connections.',
        content: {
          'application/json': {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                server: { type: 'string', description: 'Server name.' },
                route: { ...count, description: 'Route index.' },
                active: { ...count, description: 'Connections in progress.' },
                total: {
                  ...count,
                  description: 'Total number of connections handled by the threads that are currently running.',
                },
              },
              required: ['server', 'route', 'active', 'total'],
            },
          },
        },
      },
    },
  },
};
