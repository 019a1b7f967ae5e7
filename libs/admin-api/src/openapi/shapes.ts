/** Parameters and bodies shared by several operations. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse } from '@sluice/registry';

export const anyJson: JsonObject = {};

export const configuration: JsonObject = { $ref: '#/components/schemas/Configuration' };

/** Query parameters of every change. */
export const changeQuery: Readonly<Record<string, JsonObject>> = {
  dry_run: {
    type: 'string',
    description:
      'Try the change and report its effects without making it. `behavior`: also compare how recorded requests, and generated ones for changed routes, would be handled. `shadow`: also send requests through both configurations in a separate thread, and compare the responses; requires permission for `POST /explain/shadow`.',
    examples: ['true', 'behavior', 'shadow'],
  },
  requests: {
    type: 'integer',
    minimum: 1,
    maximum: 5000,
    default: 200,
    description: 'For `dry_run=shadow`: maximum number of requests.',
  },
  seconds: {
    type: 'integer',
    minimum: 1,
    maximum: 60,
    default: 10,
    description: 'For `dry_run=shadow`: maximum duration.',
  },
  live: {
    type: 'string',
    description: 'For `dry_run=shadow`: also replay requests that arrive meanwhile, with their credentials.',
  },
  unsafe: {
    type: 'string',
    description:
      'For `dry_run=shadow`: dial addresses of upstreams that may receive requests with unsafe methods, separated by commas. Without it, only GET, HEAD and OPTIONS are replayed.',
    examples: ['10.0.0.2:80'],
  },
  expect_same: {
    type: 'string',
    description:
      'Reject the change with status 409 if a recorded or generated request would be handled differently, or might be.',
  },
  kept: {
    type: 'string',
    pattern: String.raw`^(\d{1,9}|all)$`,
    default: '100',
    description: 'Of a dry run: how many of the modules that are kept are listed, or `all`. `counts` has their number.',
  },
  confirm_within: {
    type: 'string',
    pattern: String.raw`^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h|d))+$`,
    description:
      'Revert the change unless it is confirmed within this time: a duration of more than 0 and at most 24h. Excludes `rollout`.',
    examples: ['60s'],
  },
  wait: {
    type: 'string',
    enum: ['here', 'majority', 'all'],
    description: 'Of a member of a fleet: how many members are to have the change before the response.',
  },
  rollout: {
    type: 'string',
    description:
      'On a member of a fleet: some members try the change, are compared with the others, and it continues in stages up to all members (status 202). Excludes `confirm_within`.',
    examples: ['canary:1,10%,50%,all;hold=30s'],
  },
};

/** Header that makes a change conditional. */
export const ifMatch: JsonObject = {
  type: 'string',
  description: 'An ETag of `GET`: the change is made only if that part of the configuration is still as it was then.',
};

/** Report about a change: the schema `Change`. */
export const changeReport: JsonObject = {
  type: 'object',
  properties: {
    warnings: { type: 'array', items: { type: 'object' } },
    revision: { type: 'integer', description: 'The revision that waits to be confirmed.' },
    confirm_by: { type: 'string', format: 'date-time' },
    saved: { type: 'boolean', description: 'false: it is in force, and could not be saved.' },
    members: {
      type: 'object',
      description: 'Of a fleet: what members have of it; of a dry run, what those say whose modules are others.',
    },
    rollout: { type: 'object', description: 'The rollout that was begun, as of `GET /fleet/rollout`.' },
    changed: { type: 'boolean', description: 'Of a dry run: whether there is a difference.' },
    patch: { type: 'array', items: { type: 'object' }, description: 'Of a dry run: the difference as JSON Patch.' },
    modules: {
      type: 'object',
      description:
        'Of a dry run: the modules that are kept, rebuilt, started and stopped; of those that are kept the first `?kept=`.',
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
    counts: {
      type: 'object',
      description: 'Of a dry run: how many modules are kept, rebuilt, started and stopped.',
      additionalProperties: { type: 'integer' },
    },
    requests: {
      type: 'object',
      description:
        'Of a dry run: which of the requests that were recorded last would go elsewhere, as `POST /explain/plan` tells it; only where some were recorded, and for those who may call that.',
    },
  },
};

/**
 * Response to a change. Most of these responses have no body, as in Caddy. OpenAPI can't declare optional bodies, and generated clients
 * fail if a declared body is missing.
 */
export const changed: AdminOperationResponse = {
  description:
    'It is in force in all threads. Without a body there is nothing more to say; what there is, as of a dry run, is JSON: the schema `Change`.',
};

export const conflict: AdminOperationResponse = {
  description: 'Another change waits to be confirmed.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

/** Response to an invalid configuration or invalid options. */
export const rejected: AdminOperationResponse = {
  description:
    'The configuration or an option is invalid. `rollout` excludes `confirm_within`, and requires a member of a fleet.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

/** Response to a configuration that fails to load, and to a path that leads through a scalar. Caddy uses the same status. */
export const notLoaded: AdminOperationResponse = {
  description: 'The new configuration failed to load, or the path leads through a scalar. Nothing has changed.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

export const precondition: AdminOperationResponse = {
  description: 'That part of the configuration has changed since.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};
