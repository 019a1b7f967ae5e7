/** OpenAPI descriptions of the provider endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const summary: JsonObject = {
  name: { type: 'string', description: 'Name in `apps.providers.sources`.' },
  state: {
    type: 'string',
    enum: ['starting', 'synced', 'unavailable'],
    description: "`starting` = saved objects are in effect, or none; `synced` = the source's objects are in effect.",
  },
  since: { type: 'string', format: 'date-time' },
  error: { type: ['string', 'null'], description: 'Reason why the source is unavailable.' },
  applied: { type: 'integer', description: 'Objects in effect.' },
  rejected: { type: 'integer', description: 'Objects that the server rejected.' },
};

const object: JsonObject = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    object: { type: 'string', description: 'Object name, such as `container web-1`.' },
    error: { type: ['string', 'null'], description: 'Reason why the object was rejected.' },
    config: { type: ['object', 'null'], description: 'Configuration that the object adds; `null` if rejected.' },
  },
};

const readiness: JsonObject = {
  type: 'object',
  properties: {
    waiting: {
      type: 'array',
      items: { type: 'string' },
      description: 'Providers whose objects are not in effect yet.',
    },
  },
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /ready': {
    summary: 'Reports readiness',
    description:
      'For readiness probes. The server is ready when the objects of all providers, current or saved, are in effect. It stays ready if a source becomes unavailable.',
    responses: {
      '200': { description: 'Ready.', content: { 'application/json': readiness } },
      '503': { description: 'Not ready.', content: { 'application/json': readiness } },
    },
  },
  'GET /providers': {
    summary: 'Lists providers',
    description: 'Lists the configured providers and the state of their sources.',
    responses: {
      '200': {
        description: 'Providers in the order in which they are configured.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: summary } } },
      },
    },
  },
  'GET /providers/:name': {
    summary: 'Describes a provider',
    description: 'The objects that the provider derives configuration from, rejected ones first.',
    path: { name: 'Key in `apps.providers.sources`.' },
    responses: {
      '200': {
        description: 'The provider.',
        content: {
          'application/json': {
            type: 'object',
            properties: { ...summary, objects: { type: 'array', items: object } },
          },
        },
      },
    },
  },
};
