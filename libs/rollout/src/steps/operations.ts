/** OpenAPI descriptions of the rollout endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse, AdminOperations } from '@sluice/registry';
import { phases } from './state.ts';

const counts: JsonObject = {
  type: 'object',
  description: 'Requests to changed routes.',
  properties: {
    requests: { type: 'integer' },
    failures: { type: 'integer', description: '5xx responses.' },
    upstream_failures: { type: 'integer', description: '5xx responses that an upstream caused.' },
    latency_ms: {
      type: 'object',
      properties: { p50: { type: 'number' }, p95: { type: 'number' }, p99: { type: 'number' } },
    },
  },
};
const seen: JsonObject = {
  type: 'object',
  description: 'Requests with the change (`new`) and without it (`old`).',
  properties: { new: counts, old: counts },
};
const time: JsonObject = { type: 'string', format: 'date-time' };
const rollout: JsonObject = {
  id: { type: 'string', description: 'ID of the rollout, from `Idempotency-Key`.' },
  state: {
    type: 'string',
    enum: ['none', ...phases],
    description: '`promoted` and `taken_back` are final. `none` = there has been no rollout.',
  },
  why: { type: 'string', description: 'Reason for a pause or rollback.' },
  revision: { type: 'integer', description: 'Revision of the change, once it is made.' },
  decided: { ...time, description: 'Time of the decision.' },
  reverted_ms: {
    type: 'number',
    description: 'Time from the decision to roll back until no new request reached the change, in milliseconds.',
  },
  plan: { type: 'string', description: 'Plan as requested.' },
  split_by: { type: 'string', description: 'Property that determines which clients get the change.' },
  stage: { type: 'integer', description: 'Index in `stages`, starting at 0.' },
  stages: { type: 'array', items: { type: 'string' } },
  held_seconds: { type: 'number', description: 'Elapsed hold time of the stage.' },
  hold_seconds: { type: 'number', description: 'Configured hold time of the stage.' },
  seen,
  steps: {
    type: 'array',
    description: 'Stages that have begun.',
    items: { type: 'object', properties: { stage: { type: 'string' }, began: time, ended: time, seen } },
  },
  base: { type: 'integer', description: 'Revision that the change was based on.' },
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
    summary: 'Returns the current gradual rollout, or the last one',
    description:
      'On a server outside of a fleet, a change with `?rollout=` starts a rollout. Rollouts over the members of a fleet are at `/fleet/rollout`.',
    responses: { '200': response },
  },
  'POST /rollout/pause': { summary: 'Pauses the rollout at its stage', responses: { '200': response } },
  'POST /rollout/resume': {
    summary: 'Resumes the rollout, even if it waits for more requests',
    responses: { '200': response },
  },
  'POST /rollout/abort': { summary: 'Rolls back the rollout', responses: { '200': response } },
  'POST /rollout/promote': { summary: 'Makes the change now, without further stages', responses: { '200': response } },
};
