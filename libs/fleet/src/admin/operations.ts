/** What the routes of the fleet are for, in the description of the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperationResponse, AdminOperations } from '@sluice/registry';

const path = { revision: 'Number of a revision of the fleet.' };
const member = { name: 'Name of a member.' };

const responseOf = (description: string, properties: JsonObject = {}): AdminOperationResponse => ({
  description,
  content: { 'application/json': { type: 'object', properties } },
});
const adoption = {
  revision: { type: 'integer', description: 'The revision that is in force now; absent from a dry run.' },
  ours: { type: 'integer', description: 'For a dry run: the last revision of this member.' },
  theirs: { type: 'integer', description: 'For a dry run: the last revision of the store.' },
  founds: { type: 'boolean', description: 'For a dry run: the store is empty, and gets the document of this member.' },
  operations: {
    type: 'array',
    items: { type: 'object' },
    description: 'For a dry run: a JSON Patch of the document in force here.',
  },
} as const;

const revision = { revision: { type: 'integer', description: 'The revision that is in force here.' } };
const entry: JsonObject = {
  type: 'object',
  properties: {
    revision: { type: 'integer' },
    time: { type: 'string', format: 'date-time' },
    by: { type: 'string', description: 'The member, and the token that asked it.' },
    op: { type: 'string', description: 'The operation, as of `Idempotency-Key`.' },
    patch: { type: 'array', items: { type: 'object' } },
  },
};
const rollout: JsonObject = {
  id: { type: 'string', description: 'The operation, as of `Idempotency-Key`.' },
  state: {
    type: 'string',
    enum: ['spreading', 'holding', 'paused', 'promoting', 'promoted', 'taken_back'],
    description: 'The last two are ends.',
  },
  why: { type: 'string', description: 'Why it is paused, or was taken back.' },
  revision: { type: 'integer', description: 'What it became in the log.' },
  plan: { type: 'string', description: 'As it was asked for.' },
  stage: { type: 'integer', description: 'Which of `stages`, from 0 on.' },
  stages: { type: 'array', items: { type: 'string' } },
  held_seconds: { type: 'number', description: 'For how long the stage was held.' },
  hold_seconds: { type: 'number', description: 'For how long it is to be.' },
  members: { type: 'array', items: { type: 'string' }, description: 'Those that have it.' },
  seen: {
    type: 'object',
    description: 'Requests to what changes in this stage, and 5xx: with the change, and without.',
  },
  patch: { type: 'array', items: { type: 'object' } },
};
const drained = responseOf('It was told.', { member: { type: 'string' }, drained: { type: 'boolean' } });

/** By method and path. */
export const operations: AdminOperations = {
  'GET /readyz': {
    summary: 'Whether to send clients here',
    description:
      'Ready is what has a configuration in force; a member of a fleet also has to have joined, and not to be drained.',
    responses: {
      '200': responseOf('It is ready.', { ready: { type: 'boolean' } }),
      '503': responseOf('It is not.', { ready: { type: 'boolean' } }),
    },
  },
  'GET /fleet': {
    summary: 'This member, and what it knows of the others',
    responses: {
      '200': responseOf('The fleet.', {
        cluster: { type: 'string' },
        member: { type: 'string' },
        revision: { type: 'integer', description: 'The last revision that this member knows.' },
        applied: { type: 'integer', description: 'The last one that is in force here.' },
        rejected: { type: 'object', description: 'The revision that could not be applied here, where and why.' },
        forked: { type: 'object', description: 'Why the store has another history than this member.' },
        store_away: { type: 'object', description: 'Since when the store cannot be reached, and why.' },
        members: { type: 'array', items: { type: 'object' } },
      }),
    },
  },
  'GET /fleet/events': {
    summary: 'The state of the fleet, whenever it changes',
    responses: {
      '200': {
        description: 'Server-sent events that go on.',
        content: { 'text/event-stream': { type: 'object', description: 'Each event.' } },
      },
    },
  },
  'GET /fleet/history': {
    summary: 'The last changes of the fleet, the newest first',
    description: 'At most 100; older ones by `before`, as far as the log goes back.',
    query: { before: { type: 'integer', description: 'Those before this revision.' } },
    responses: {
      '200': { description: 'The changes.', content: { 'application/json': { type: 'array', items: entry } } },
    },
  },
  'GET /fleet/history/:revision': {
    summary: 'One change of the fleet, with the configuration as it was then',
    path,
    responses: { '200': { description: 'The change.', content: { 'application/json': entry } } },
  },
  'POST /fleet/history/:revision/apply': {
    summary: 'Takes the whole fleet back to a revision',
    path,
    responses: { '200': responseOf('It is in force here.', revision) },
  },
  'POST /fleet/confirm': {
    summary: 'Confirms the change of the fleet that waits for it',
    responses: { '200': responseOf('It stays in force.', revision) },
  },
  'GET /fleet/ops/:op': {
    summary: 'What became of a change, by its `Idempotency-Key`',
    path: { op: 'The key, or the operation of the response that said that the outcome is unknown.' },
    responses: { '200': responseOf('It was made.', { op: { type: 'string' }, revision: { type: 'integer' } }) },
  },
  'GET /fleet/rollout': {
    summary: 'The roll-out that is under way, or the last one',
    description: 'A change with `?rollout=` begins one.',
    responses: { '200': responseOf('The roll-out.', rollout) },
  },
  'POST /fleet/rollout/pause': {
    summary: 'Keeps the roll-out at its stage',
    responses: { '202': responseOf('It was told; it is paused within a second or two.', rollout) },
  },
  'POST /fleet/rollout/resume': {
    summary: 'Has the roll-out go on; where it waits for requests, without them',
    responses: { '202': responseOf('It was told.', rollout) },
  },
  'POST /fleet/rollout/abort': {
    summary: 'Takes the roll-out back',
    responses: { '202': responseOf('It was told.', rollout) },
  },
  'POST /fleet/adopt': {
    summary: 'Takes what the store has, where it has another history than this member',
    description: 'With `?dry_run`, only shows what would change.',
    query: {
      dry_run: {
        type: 'boolean',
        description: 'Show the revisions of both histories and the changes, and do nothing.',
      },
    },
    responses: { '200': responseOf('This member follows the store again, or what adopting would change.', adoption) },
  },
  'POST /fleet/leave': {
    summary: 'Leaves the fleet; the server keeps serving, with a configuration of its own',
    responses: {
      '200': responseOf('This server is in no fleet.', { member: { type: 'string' }, left: { type: 'boolean' } }),
    },
  },
  'POST /fleet/retry': {
    summary: 'Tries again to apply what could not be applied here',
    responses: { '200': responseOf('This member as it is now.') },
  },
  'POST /fleet/members/:name/drain': {
    summary: 'Has a member say that it is not ready, until it is taken back',
    path: member,
    responses: { '200': drained },
  },
  'DELETE /fleet/members/:name/drain': {
    summary: 'Has a member serve new clients again',
    path: member,
    responses: { '200': drained },
  },
};
