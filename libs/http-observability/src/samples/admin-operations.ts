/** OpenAPI descriptions of the `/samples` endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const archive: JsonObject = {
  type: 'object',
  required: ['log'],
  properties: {
    log: {
      type: 'object',
      required: ['entries'],
      properties: { entries: { type: 'array', maxItems: 10_000, items: { type: 'object' } } },
    },
  },
  description: 'HTTP Archive (HAR) 1.2.',
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /samples': {
    summary: 'Returns recorded requests',
    description:
      'Traffic threads record a random sample of requests for each route and host. Returns request lines and header fields without secrets, newest first. `apps.http.samples` sets the limits.',
    query: {
      format: {
        enum: ['json', 'har'],
        default: 'json',
        description: '`har`: an HTTP Archive (HAR 1.2), which browsers and other tools can read.',
      },
    },
    responses: {
      '200': {
        description: 'The requests.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              count: { type: 'integer' },
              per_route: {
                type: 'integer',
                description: 'Maximum number of recorded requests per route and host; 0 if recording is disabled.',
              },
              max_requests: { type: 'integer' },
              requests: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    at: { type: 'string' },
                    server: { type: ['string', 'null'] },
                    route: { type: ['string', 'null'] },
                    request: { type: 'object' },
                    response: { type: 'object' },
                    duration_ms: { type: 'number' },
                    upstream: { type: ['string', 'null'] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  'POST /samples': {
    summary: 'Imports requests from an HTTP Archive',
    description: 'Adds the requests in a HAR file to the recorded requests, within the configured limits.',
    body: { 'application/json': archive },
    responses: {
      '200': {
        description: 'Number of imported requests and total number of recorded requests.',
        content: {
          'application/json': {
            type: 'object',
            properties: { imported: { type: 'integer' }, count: { type: 'integer' } },
          },
        },
      },
    },
  },
  'DELETE /samples': {
    summary: 'Deletes all recorded requests',
    responses: {
      '200': {
        description: 'Number of deleted requests.',
        content: { 'application/json': { type: 'object', properties: { dropped: { type: 'integer' } } } },
      },
    },
  },
};
