/** OpenAPI descriptions of the rate limit routes in the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const zone: JsonObject = {
  name: { type: 'string' },
  window: { type: 'number', description: 'Length of the rate limit window, in seconds.' },
  max_events: { type: 'integer', description: 'Maximum number of requests per key within a window.' },
  key_count: { type: 'integer', description: 'Number of tracked keys.' },
  allowed: { type: 'integer', description: 'Number of allowed requests.' },
  rejected: { type: 'integer', description: 'Number of rejected requests.' },
  uncounted: {
    type: 'integer',
    description: 'Number of requests that were not counted because the memory was exhausted.',
  },
  memory_used: { type: 'integer', description: 'Memory in use, in bytes.' },
  memory_total: { type: 'integer', description: 'Maximum memory, in bytes.' },
};

const key: JsonObject = {
  key: { type: 'string' },
  events: { type: 'integer', description: 'Number of allowed requests within the window.' },
  rejected: { type: 'integer', description: 'Number of requests rejected since the key was first seen.' },
  max_events: { type: 'integer', description: 'Maximum number of requests per window for this key.' },
  oldest_expires_in: { type: 'number', description: 'Time until the oldest request leaves the window, in seconds.' },
};

const path = { zone: 'Name of the zone.', key: 'The key, percent-encoded.' };

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /rate_limits': {
    summary: 'Lists the rate limit zones',
    responses: {
      '200': {
        description: 'The zones.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: zone } } },
      },
    },
  },
  'GET /rate_limits/:zone': {
    summary: 'Shows a rate limit zone and its keys',
    path: { zone: path.zone },
    query: {
      search: { type: 'string', description: 'Filter by substring of the key.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        description: 'Maximum number of keys to return. Default: 100.',
      },
    },
    responses: {
      '200': {
        description: 'The zone.',
        content: {
          'application/json': {
            type: 'object',
            properties: { ...zone, keys: { type: 'array', items: { type: 'object', properties: key } } },
          },
        },
      },
    },
  },
  'DELETE /rate_limits/:zone/keys/:key': {
    summary: 'Resets a key: clears its counts and its individual limit',
    path,
    responses: {
      '200': {
        description: 'The key was reset.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              key: { type: 'string' },
              known: { type: 'boolean', description: '`true` if the key had counts or an individual limit.' },
            },
          },
        },
      },
    },
  },
  'PUT /rate_limits/:zone/keys/:key': {
    summary: 'Sets an individual limit for a key, until the key is reset',
    path,
    body: {
      'application/json': {
        type: 'object',
        description: 'New limit; 0 restores the limit of the zone.',
        required: ['max_events'],
        properties: { max_events: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 } },
      },
    },
    responses: {
      '200': {
        description: 'The limit in effect.',
        content: {
          'application/json': {
            type: 'object',
            properties: { key: { type: 'string' }, max_events: { type: 'integer' } },
          },
        },
      },
    },
  },
};
