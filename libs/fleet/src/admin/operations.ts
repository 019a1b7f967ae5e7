/** OpenAPI descriptions of the fleet routes. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse, AdminOperations } from '@sluice/registry';

const path = { revision: 'Fleet revision number.' };
const member = { name: 'Member name.' };

const responseOf = (description: string, properties: JsonObject = {}): AdminOperationResponse => ({
  description,
  content: { 'application/json': { type: 'object', properties } },
});
const adoption = {
  revision: { type: 'integer', description: 'Revision in effect; omitted for a dry run.' },
  ours: { type: 'integer', description: 'For a dry run: last revision of this member.' },
  theirs: { type: 'integer', description: 'For a dry run: last revision in the store.' },
  founds: {
    type: 'boolean',
    description: "For a dry run: `true` if the store is empty and will receive this member's document.",
  },
  operations: {
    type: 'array',
    items: { type: 'object' },
    description: 'For a dry run: JSON Patch relative to the document in effect on this member.',
  },
} as const;

const revision = { revision: { type: 'integer', description: 'Revision in effect on this member.' } };
const entry: JsonObject = {
  type: 'object',
  properties: {
    revision: { type: 'integer' },
    time: { type: 'string', format: 'date-time' },
    by: { type: 'string', description: 'Member and token that made the change.' },
    op: { type: 'string', description: 'Operation ID, from `Idempotency-Key`.' },
    patch: { type: 'array', items: { type: 'object' } },
  },
};
const rollout: JsonObject = {
  id: { type: 'string', description: 'Operation ID, from `Idempotency-Key`.' },
  state: {
    type: 'string',
    enum: ['spreading', 'holding', 'paused', 'promoting', 'promoted', 'taken_back'],
    description: 'State of the rollout. `promoted` and `taken_back` are final.',
  },
  why: { type: 'string', description: 'Reason for a pause or rollback.' },
  revision: { type: 'integer', description: 'Revision of the promoted change in the fleet log.' },
  plan: { type: 'string', description: 'Plan as requested.' },
  stage: { type: 'integer', description: 'Index in `stages`, starting at 0.' },
  stages: { type: 'array', items: { type: 'string' } },
  held_seconds: { type: 'number', description: 'Time elapsed in the stage, in seconds.' },
  hold_seconds: { type: 'number', description: 'Configured hold time of the stage, in seconds.' },
  members: { type: 'array', items: { type: 'string' }, description: 'Members that have the change.' },
  seen: {
    type: 'object',
    description: 'Requests to changed routes, and their 5xx responses, in this stage, with and without the change.',
  },
  patch: { type: 'array', items: { type: 'object' } },
};
const drained = responseOf('The request was accepted.', { member: { type: 'string' }, drained: { type: 'boolean' } });

/** OpenAPI operations, keyed by method and path. */
export const operations: AdminOperations = {
  'GET /readyz': {
    summary: 'Reports whether this server is ready',
    description:
      'A server is ready if a configuration is in effect. A fleet member must also have joined and not be draining.',
    responses: {
      '200': responseOf('The server is ready.', { ready: { type: 'boolean' } }),
      '503': responseOf('The server is not ready.', { ready: { type: 'boolean' } }),
    },
  },
  'GET /fleet': {
    summary: 'Returns the state of this member and the last known state of the others',
    responses: {
      '200': responseOf('The fleet.', {
        cluster: { type: 'string' },
        member: { type: 'string' },
        revision: { type: 'integer', description: 'Last known revision.' },
        applied: { type: 'integer', description: 'Last revision in effect on this member.' },
        rejected: {
          type: 'object',
          description: 'Revision that could not be applied on this member, with the path and the reason.',
        },
        forked: {
          type: 'object',
          description: "Reason why the store's history differs from this member's history.",
        },
        store_away: { type: 'object', description: 'Start and reason of the store outage.' },
        members: { type: 'array', items: { type: 'object' } },
      }),
    },
  },
  'GET /fleet/events': {
    summary: 'Streams state changes of the fleet',
    responses: {
      '200': {
        description: 'Continuous server-sent events.',
        content: { 'text/event-stream': { type: 'object', description: 'Data of an event.' } },
      },
    },
  },
  'GET /fleet/history': {
    summary: 'Lists recent changes of the fleet, newest first',
    description: 'Returns up to 100 changes. Use `before` to get older changes that are still in the log.',
    query: { before: { type: 'integer', description: 'Return only changes before this revision.' } },
    responses: {
      '200': { description: 'The changes.', content: { 'application/json': { type: 'array', items: entry } } },
    },
  },
  'GET /fleet/history/:revision': {
    summary: 'Returns a change of the fleet, with the configuration at that revision',
    path,
    responses: { '200': { description: 'The change.', content: { 'application/json': entry } } },
  },
  'POST /fleet/history/:revision/apply': {
    summary: 'Rolls back the whole fleet to a revision',
    path,
    responses: { '200': responseOf('The revision is in effect on this member.', revision) },
  },
  'POST /fleet/confirm': {
    summary: 'Confirms the pending change of the fleet',
    responses: { '200': responseOf('The change is confirmed.', revision) },
  },
  'GET /fleet/ops/:op': {
    summary: 'Returns the result of a change by its `Idempotency-Key`',
    path: { op: 'The `Idempotency-Key`, or the operation ID from the response that reported an unknown outcome.' },
    responses: {
      '200': responseOf('The change was applied.', { op: { type: 'string' }, revision: { type: 'integer' } }),
    },
  },
  'GET /fleet/rollout': {
    summary: 'Returns the current or most recent rollout',
    description: 'A change with `?rollout=` starts a rollout.',
    responses: { '200': responseOf('The rollout.', rollout) },
  },
  'POST /fleet/rollout/pause': {
    summary: 'Pauses the rollout at its current stage',
    responses: { '202': responseOf('The request was accepted; the rollout pauses within two seconds.', rollout) },
  },
  'POST /fleet/rollout/resume': {
    summary: 'Resumes the rollout, even if it is waiting for more requests',
    responses: { '202': responseOf('The request was accepted.', rollout) },
  },
  'POST /fleet/rollout/abort': {
    summary: 'Aborts the rollout and rolls back its change',
    responses: { '202': responseOf('The request was accepted.', rollout) },
  },
  'POST /fleet/adopt': {
    summary: "Adopts the document of the store if its history differs from this member's history",
    description: 'With `?dry_run`, returns the changes without applying them.',
    query: {
      dry_run: {
        type: 'boolean',
        description: 'Show the revisions of both histories and the changes, without applying anything.',
      },
    },
    responses: {
      '200': responseOf(
        'This member follows the store again. For a dry run, the response contains the changes.',
        adoption,
      ),
    },
  },
  'POST /fleet/leave': {
    summary: 'Leaves the fleet; the server continues to serve requests with its own configuration',
    responses: {
      '200': responseOf('This server is no longer a fleet member.', {
        member: { type: 'string' },
        left: { type: 'boolean' },
      }),
    },
  },
  'POST /fleet/retry': {
    summary: 'Retries the revision that failed on this member',
    responses: { '200': responseOf('Current state of this member.') },
  },
  'POST /fleet/members/:name/drain': {
    summary: 'Drains a member: it reports not ready until traffic is resumed',
    path: member,
    responses: { '200': drained },
  },
  'DELETE /fleet/members/:name/drain': {
    summary: 'Resumes traffic to a member',
    path: member,
    responses: { '200': drained },
  },
};
