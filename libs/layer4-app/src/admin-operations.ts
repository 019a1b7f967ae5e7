/** Description of the admin route for the OpenAPI document. */
import type { AdminOperations } from '@sluice/registry';

const count = { type: 'integer', minimum: 0 };

/** Operations by method and path. */
export const operations: AdminOperations = {
  'GET /layer4/routes': {
    summary: 'Returns the connections of layer 4 routes',
    description: 'One entry per route of the servers of the `layer4` app, with the connections of all threads.',
    responses: {
      '200': {
        description: 'Routes with their connections.',
        content: {
          'application/json': {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                server: { type: 'string', description: 'Name of the server.' },
                route: { ...count, description: 'Index of the route.' },
                active: { ...count, description: 'Connections in progress.' },
                total: { ...count, description: 'Connections so far, in the threads that run now.' },
              },
              required: ['server', 'route', 'active', 'total'],
            },
          },
        },
      },
    },
  },
};
