/** Descriptions of the built-in routes. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { dashboardOperations } from './dashboard-operations.ts';
import { proposalOperations } from './proposal-operations.ts';
import { anyJson, changed, changeQuery, configuration, conflict, rejected } from './shapes.ts';

const revision = 'Number of a change in the history.';

const entry: JsonObject = {
  type: 'object',
  required: ['revision', 'time', 'origin'],
  properties: {
    revision: { type: 'integer' },
    time: { type: 'string', format: 'date-time' },
    origin: { type: 'string', description: 'Where the change came from.' },
    by: { type: 'string', description: 'Name of the token that made it.' },
    confirm_by: { type: 'string', format: 'date-time', description: 'Until when it has to be confirmed.' },
    patch: { type: 'array', items: { type: 'object' }, description: 'The difference from the revision before.' },
  },
};

/** The configuration at a revision; `null` if there was none. */
const savedConfiguration: JsonObject = { anyOf: [configuration, { type: 'null' }] };

/** Other formats are described only in text, because client generators omit operations with unknown media types. */
const json = { 'application/json': configuration };
const languages =
  'Also `text/caddyfile`, `application/yaml`, `application/toml` and what other adapters read: the Content-Type names the language.';

/** Operations by method and path. */
export const operations: AdminOperations = {
  'POST /load': {
    summary: 'Replaces the whole configuration',
    description: `${languages} \`Cache-Control: must-revalidate\` loads it even if it is the same.`,
    query: changeQuery,
    headers: { 'Cache-Control': { type: 'string', description: '`must-revalidate`: also if nothing differs.' } },
    body: json,
    responses: { '200': changed, '400': rejected, '409': conflict },
  },
  'POST /adapt': {
    summary: 'Translates a configuration to JSON',
    description: languages,
    query: { sources: { type: 'string', description: 'Also tell where each value was written.' } },
    bodyIsOptional: true,
    body: { 'application/json': anyJson },
    responses: {
      '200': {
        description: 'The configuration as JSON. A JSON body is returned unchanged and unchecked.',
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
  'POST /stop': { summary: 'Ends the server gracefully', responses: { '200': { description: 'It is about to end.' } } },
  'POST /upgrade': {
    summary: 'Lets a newer version of the program take over',
    description:
      'It takes the listening sockets and the configuration in force; this process finishes what is in progress.',
    responses: {
      '200': {
        description: 'The new process serves.',
        content: {
          'application/json': {
            type: 'object',
            required: ['pid'],
            properties: { pid: { type: 'integer', description: 'Number of the new process.' } },
          },
        },
      },
    },
  },
  'GET /schema': {
    summary: 'The JSON Schema of the configuration',
    description: 'With all modules of this server.',
    responses: { '200': { description: 'The schema.', content: { 'application/schema+json': anyJson } } },
  },
  'GET /openapi.json': {
    summary: 'This description',
    query: {
      detail: { type: 'boolean', default: true, description: 'False returns only the paths and their methods.' },
    },
    responses: { '200': { description: 'OpenAPI 3.1.', content: { 'application/openapi+json': { type: 'object' } } } },
  },
  'GET /history': {
    summary: 'The changes that were applied, the newest first',
    query: {
      from: { type: 'integer', minimum: 1, description: 'Only this revision, and those after it.' },
      before: { type: 'integer', minimum: 1, description: 'Only revisions before this one.' },
      limit: {
        type: 'integer',
        minimum: 1,
        description:
          'Maximum number of changes. If there are more, `Link` has the target of the next page. Default: all.',
      },
      patch: {
        type: 'boolean',
        default: true,
        description: 'False leaves out `patch`, which may be as large as the configuration.',
      },
    },
    responses: {
      '200': { description: 'The changes.', content: { 'application/json': { type: 'array', items: entry } } },
    },
  },
  'GET /history/:revision': {
    summary: 'One change, with the configuration as it was then',
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
    summary: 'Goes back to the configuration of a revision',
    path: { revision },
    query: changeQuery,
    responses: { '200': changed, '400': rejected, '409': conflict },
  },
  'POST /history/:revision/confirm': {
    summary: 'Confirms a change that would be undone',
    path: { revision },
    responses: { '200': { ...changed, description: 'It stays in force.' } },
  },
  ...dashboardOperations,
  ...proposalOperations,
};
