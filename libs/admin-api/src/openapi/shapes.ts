/** OpenAPI parameters and bodies that several operations share. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse } from '@sluice/registry';

export const anyJson: JsonObject = {};

export const configuration: JsonObject = { $ref: '#/components/schemas/Configuration' };

/** Query parameters common to all configuration changes. */
export const changeQuery: Readonly<Record<string, JsonObject>> = {
  dry_run: {
    type: 'string',
    description:
      'Test the change and report its effects without applying it. `behavior`: also compare how recorded requests, and generated requests for changed routes, would be handled. `shadow`: also send requests through both configurations in a separate thread, and compare the responses; requires permission for `POST /explain/shadow`.',
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
    description: 'For `dry_run=shadow`: maximum duration, in seconds.',
  },
  live: {
    type: 'string',
    description:
      'For `dry_run=shadow`: also replay requests that arrive during the comparison, with their credentials.',
  },
  unsafe: {
    type: 'string',
    description:
      'For `dry_run=shadow`: dial addresses of upstreams that may receive requests with unsafe methods, separated by commas. If omitted, only GET, HEAD and OPTIONS are replayed.',
    examples: ['10.0.0.2:80'],
  },
  expect_same: {
    type: 'string',
    description:
      'Reject the change with status 409 if a recorded or generated request would or might be handled differently.',
  },
  kept: {
    type: 'string',
    pattern: String.raw`^(\d{1,9}|all)$`,
    default: '100',
    description:
      'For a dry run: maximum number of kept modules to list, or `all`. `counts` contains their total number.',
  },
  confirm_within: {
    type: 'string',
    pattern: String.raw`^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h|d))+$`,
    description:
      'Revert the change unless it is confirmed within this time, at most 24h. Cannot be combined with `rollout`.',
    examples: ['60s'],
  },
  wait: {
    type: 'string',
    enum: ['here', 'majority', 'all'],
    description: 'For a fleet member: members that must have applied the change before the response is sent.',
  },
  rollout: {
    type: 'string',
    description:
      'Roll the change out in stages (status 202). At first, only some clients of the server or, in a fleet, some members get the change. Their results are compared with those of the others. Cannot be combined with `confirm_within`.',
    examples: ['1%,10%,50%,all;hold=30s,2m;by=cookie:session', 'canary:1,10%,50%,all;first=1%,10%;hold=30s'],
  },
};

/** The `If-Match` header, which makes a change conditional. */
export const ifMatch: JsonObject = {
  type: 'string',
  description:
    'ETag from `GET`. The change is applied only if the part of the configuration to which the ETag refers is unchanged.',
};

/** Report about a change, which uses the schema `Change`. */
export const changeReport: JsonObject = {
  type: 'object',
  properties: {
    warnings: { type: 'array', items: { type: 'object' } },
    revision: { type: 'integer', description: 'Revision to confirm.' },
    confirm_by: { type: 'string', format: 'date-time' },
    saved: { type: 'boolean', description: '`false` = the change is in effect but could not be saved.' },
    members: {
      type: 'object',
      description:
        'For a fleet: members that have applied the change. For a dry run: responses from members whose modules differ.',
    },
    rollout: {
      type: 'object',
      description: 'The rollout that was started, as in `GET /rollout` or, in a fleet, `GET /fleet/rollout`.',
    },
    changed: { type: 'boolean', description: 'For a dry run: `true` if the change would modify the configuration.' },
    patch: { type: 'array', items: { type: 'object' }, description: 'For a dry run: the difference as a JSON Patch.' },
    modules: {
      type: 'object',
      description:
        'For a dry run: the modules that would be kept, rebuilt, started and stopped. `?kept=` limits the list of kept modules.',
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
    counts: {
      type: 'object',
      description: 'For a dry run: number of modules that would be kept, rebuilt, started and stopped.',
      additionalProperties: { type: 'integer' },
    },
    requests: {
      type: 'object',
      description:
        'For a dry run: recently recorded requests that would be handled differently, as in `POST /explain/plan`. Present only if requests were recorded and the client has permission for that endpoint.',
    },
  },
};

/**
 * Response to a change. As in Caddy, most of these responses have no body. OpenAPI cannot declare optional bodies, and generated clients
 * fail if a declared body is missing.
 */
export const changed: AdminOperationResponse = {
  description:
    'The change is in effect in all threads. The body is empty unless there is something to report, as for a dry run; see the schema `Change`.',
};

export const conflict: AdminOperationResponse = {
  description: 'Another change is waiting for confirmation.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

/** Response to a request with an invalid configuration or invalid options. */
export const rejected: AdminOperationResponse = {
  description: 'The configuration or an option is invalid. `rollout` cannot be combined with `confirm_within`.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

/** Response for a configuration that fails to load, or for a path that passes through a scalar value. Caddy uses the same status. */
export const notLoaded: AdminOperationResponse = {
  description: 'The new configuration could not be loaded, or the path traverses a scalar. Nothing was changed.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};

export const precondition: AdminOperationResponse = {
  description: 'The part of the configuration to which `If-Match` refers has changed in the meantime.',
  content: { 'application/json': { $ref: '#/components/schemas/Error' } },
};
