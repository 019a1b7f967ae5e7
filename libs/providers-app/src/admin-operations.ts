/** OpenAPI descriptions of the provider endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const summary: JsonObject = {
  name: { type: 'string', description: 'Name in `apps.providers.sources`.' },
  state: {
    type: 'string',
    enum: ['starting', 'synced', 'unavailable'],
    description:
      "State of the provider. `starting` = the source has not been read yet, and saved objects, if any, are in effect. `synced` = the source's objects are in effect.",
  },
  since: { type: 'string', format: 'date-time' },
  error: { type: ['string', 'null'], description: 'Reason why the source is unavailable, or null.' },
  applied: { type: 'integer', description: 'Objects in effect.' },
  rejected: { type: 'integer', description: 'Number of objects that the server rejected.' },
};

const object: JsonObject = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    object: { type: 'string', description: 'Name of the object, such as `container web-1`.' },
    error: { type: ['string', 'null'], description: 'Reason why the object was rejected, or null.' },
    config: {
      type: ['object', 'null'],
      description: 'Configuration that the provider generated from the object; `null` if rejected.',
    },
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
      'For readiness probes. The server is ready when the current or saved objects of all providers are in effect. It stays ready if a source becomes unavailable.',
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
        description: 'Providers in the configured order.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: summary } } },
      },
    },
  },
  'GET /providers/:name': {
    summary: 'Describes a provider',
    description: 'Objects from which the provider generates configuration. Rejected objects are listed first.',
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
