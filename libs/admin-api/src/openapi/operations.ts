/** OpenAPI descriptions of the built-in routes. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { dashboardOperations } from './dashboard-operations.ts';
import { proposalOperations } from './proposal-operations.ts';
import { anyJson, changed, changeQuery, configuration, conflict, rejected } from './shapes.ts';

const revision = 'Revision number in the history.';

const entry: JsonObject = {
  type: 'object',
  required: ['revision', 'time', 'origin'],
  properties: {
    revision: { type: 'integer' },
    time: { type: 'string', format: 'date-time' },
    origin: { type: 'string', description: 'Source of the change.' },
    by: { type: 'string', description: 'Name of the token that was used.' },
    confirm_by: { type: 'string', format: 'date-time', description: 'Deadline for confirmation.' },
    patch: { type: 'array', items: { type: 'object' }, description: 'Difference from the previous revision.' },
  },
};

/** Schema of a configuration revision. The value is `null` if there was no configuration. */
const savedConfiguration: JsonObject = { anyOf: [configuration, { type: 'null' }] };

/**
 * The schema lists only JSON. The description mentions the other formats, because client generators omit operations with unknown media
 * types.
 */
const json = { 'application/json': configuration };
const languages =
  'Also accepts `text/caddyfile`, `application/yaml`, `application/toml` and the formats of other adapters; the Content-Type selects the adapter.';

/** OpenAPI operations, keyed by method and path. */
export const operations: AdminOperations = {
  'POST /load': {
    summary: 'Replaces the whole configuration',
    description: `${languages} \`Cache-Control: must-revalidate\` loads the configuration even if it is unchanged.`,
    query: changeQuery,
    headers: {
      'Cache-Control': { type: 'string', description: '`must-revalidate`: reload even if nothing has changed.' },
    },
    body: json,
    responses: { '200': changed, '400': rejected, '409': conflict },
  },
  'POST /adapt': {
    summary: 'Converts a configuration to JSON',
    description: languages,
    query: { sources: { type: 'string', description: 'Include the source location of each value.' } },
    bodyIsOptional: true,
    body: { 'application/json': anyJson },
    responses: {
      '200': {
        description: 'The configuration as JSON. A JSON body is returned unchanged and is not validated.',
        content: {
          'application/json': {
            type: 'object',
            required: ['result'],
            properties: {
              result: anyJson,
              warnings: { type: 'array', items: { type: 'object' } },
              sources: { type: 'object' },
            },
          },
        },
      },
    },
  },
  'POST /stop': {
    summary: 'Stops the server gracefully',
    responses: { '200': { description: 'The server is stopping.' } },
  },
  'POST /upgrade': {
    summary: 'Replaces the server process with a newer version',
    description:
      'The new process takes over the listening sockets and the current configuration. This process completes its in-flight requests.',
    responses: {
      '200': {
        description: 'The new process is serving.',
        content: {
          'application/json': {
            type: 'object',
            required: ['pid'],
            properties: { pid: { type: 'integer', description: 'Process ID of the new process.' } },
          },
        },
      },
    },
  },
  'GET /schema': {
    summary: 'Returns the JSON Schema of the configuration',
    description: 'Includes all modules of this server.',
    responses: { '200': { description: 'The schema.', content: { 'application/schema+json': anyJson } } },
  },
  'GET /openapi.json': {
    summary: 'Returns this OpenAPI document',
    query: {
      detail: { type: 'boolean', default: true, description: '`false` returns only the paths and their methods.' },
    },
    responses: { '200': { description: 'OpenAPI 3.1.', content: { 'application/openapi+json': { type: 'object' } } } },
  },
  'GET /history': {
    summary: 'Lists applied changes, newest first',
    query: {
      from: { type: 'integer', minimum: 1, description: 'Return only this revision and later revisions.' },
      before: { type: 'integer', minimum: 1, description: 'Return only revisions before this one.' },
      limit: {
        type: 'integer',
        minimum: 1,
        description:
          'Maximum number of changes. If there are more, the `Link` header field contains the URL of the next page. Default: all.',
      },
      patch: {
        type: 'boolean',
        default: true,
        description: '`false` omits `patch`, which can be as large as the configuration.',
      },
    },
    responses: {
      '200': { description: 'The changes.', content: { 'application/json': { type: 'array', items: entry } } },
    },
  },
  'GET /history/:revision': {
    summary: 'Returns a change, with the configuration at that revision',
    path: { revision },
    responses: {
      '200': {
        description: 'The change.',
        content: {
          'application/json': { allOf: [entry, { type: 'object', properties: { document: savedConfiguration } }] },
        },
      },
    },
  },
  'POST /history/:revision/apply': {
    summary: 'Rolls back to the configuration of a revision',
    path: { revision },
    query: changeQuery,
    responses: { '200': changed, '400': rejected, '409': conflict },
  },
  'POST /history/:revision/confirm': {
    summary: 'Confirms a pending change',
    path: { revision },
    responses: { '200': { ...changed, description: 'The change is confirmed and stays in effect.' } },
  },
  ...dashboardOperations,
  ...proposalOperations,
};
