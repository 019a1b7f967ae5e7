/** OpenAPI descriptions of the rollout endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse, AdminOperations } from '@sluice/registry';
import { phases } from './state.ts';

const counts: JsonObject = {
  type: 'object',
  description: 'Number of requests to changed routes.',
  properties: {
    requests: { type: 'integer' },
    failures: { type: 'integer', description: '5xx responses.' },
    upstream_failures: { type: 'integer', description: 'Number of 5xx responses that were caused by an upstream.' },
    latency_ms: {
      type: 'object',
      properties: { p50: { type: 'number' }, p95: { type: 'number' }, p99: { type: 'number' } },
    },
  },
};
const seen: JsonObject = {
  type: 'object',
  description: 'Requests to changed routes, with the change (`new`) and without it (`old`).',
  properties: { new: counts, old: counts },
};
const time: JsonObject = { type: 'string', format: 'date-time' };
const rollout: JsonObject = {
  id: { type: 'string', description: 'ID of the rollout, from the `Idempotency-Key` header field.' },
  state: {
    type: 'string',
    enum: ['none', ...phases],
    description: 'State of the rollout. `promoted` and `taken_back` are final. `none` = no rollout has been started.',
  },
  why: { type: 'string', description: 'Reason for a pause or rollback.' },
  revision: { type: 'integer', description: 'Revision of the change, once the change has been applied.' },
  decided: { ...time, description: 'Time at which the rollout was promoted or rolled back.' },
  reverted_ms: {
    type: 'number',
    description:
      'Time between the decision to roll back and the last new request that reached the change, in milliseconds.',
  },
  plan: { type: 'string', description: 'Plan as requested.' },
  split_by: { type: 'string', description: 'Property that determines which clients receive the change.' },
  stage: { type: 'integer', description: 'Index of the current stage in `stages`, starting at 0.' },
  stages: { type: 'array', items: { type: 'string' } },
  held_seconds: { type: 'number', description: 'Time for which the current stage has been held, in seconds.' },
  hold_seconds: { type: 'number', description: 'Configured hold time of the current stage, in seconds.' },
  seen,
  steps: {
    type: 'array',
    description: 'Stages that have started.',
    items: { type: 'object', properties: { stage: { type: 'string' }, began: time, ended: time, seen } },
  },
  base: { type: 'integer', description: 'Revision on which the change is based.' },
  by: { type: 'string', description: 'Name of the token that requested the change.' },
  origin: { type: 'string', description: 'Admin API request that made the change.' },
  time,
  patch: { type: 'array', items: { type: 'object' } },
};
const response: AdminOperationResponse = {
  description: 'The rollout.',
  content: { 'application/json': { type: 'object', properties: rollout } },
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /rollout': {
    summary: 'Returns the current or most recent gradual rollout',
    description:
      'On a server that is not in a fleet, a change with `?rollout=` starts a rollout. For rollouts across the members of a fleet, use `/fleet/rollout`.',
    responses: { '200': response },
  },
  'POST /rollout/pause': { summary: 'Pauses the rollout at its current stage', responses: { '200': response } },
  'POST /rollout/resume': {
    summary: 'Resumes the rollout, even if it is waiting for more requests',
    responses: { '200': response },
  },
  'POST /rollout/abort': { summary: 'Aborts the rollout and rolls back its change', responses: { '200': response } },
  'POST /rollout/promote': {
    summary: 'Applies the change to all clients now, without further stages',
    responses: { '200': response },
  },
};
