/** OpenAPI descriptions of the cache routes in the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const object: JsonObject = {
  key: { type: 'string' },
  status: { type: 'integer' },
  size: { type: 'integer', description: 'Size of the response body, in bytes.' },
  age: { type: 'integer', description: 'Age, in seconds.' },
  ttl: {
    type: 'integer',
    description: 'Time until the response expires, in seconds. Negative = time since it expired.',
  },
  tags: { type: 'array', items: { type: 'string' }, description: 'Surrogate keys.' },
  vary: {
    type: 'array',
    items: { type: 'string' },
    description: 'Request header fields that are listed in the `Vary` field of the response.',
  },
  store: { type: 'string', enum: ['memory', 'disk'] },
};

const query: JsonObject = {
  key: { type: 'string', description: 'Filter by key.' },
  prefix: { type: 'string', description: 'Filter by key prefix.' },
  tag: { type: 'string', description: 'Filter by surrogate key.' },
};

export const operations: AdminOperations = {
  'GET /cache': {
    summary: 'Lists the caches with their sizes',
    responses: {
      '200': {
        description: 'The caches.',
        content: {
          'application/json': {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                objects: { type: 'integer', description: 'Number of responses in memory.' },
                evicted: { type: 'integer', description: 'Number of responses evicted from memory.' },
                memory_used: { type: 'integer', description: 'Memory in use, in bytes.' },
                memory_total: { type: 'integer', description: 'Maximum memory, in bytes.' },
                disk: {
                  type: 'object',
                  properties: {
                    path: { type: 'string' },
                    objects: { type: 'integer' },
                    size: { type: 'integer', description: 'Total size of all cache files, in bytes.' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  'GET /cache/objects': {
    summary: 'Lists stored responses',
    query: {
      ...query,
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        description: 'Maximum number of responses to list. Default: 100.',
      },
    },
    responses: {
      '200': {
        description: 'The responses.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: object } } },
      },
    },
  },
  'DELETE /cache/objects': {
    summary: 'Purges all stored responses, or those that match a key, prefix or tag',
    query: { ...query, all: { type: 'string', description: 'Purge everything. Cannot be combined with filters.' } },
    responses: {
      '200': {
        description: 'The responses were removed.',
        content: {
          'application/json': {
            type: 'object',
            properties: { purged: { type: 'integer', description: 'Number of removed keys.' } },
          },
        },
      },
    },
  },
};
