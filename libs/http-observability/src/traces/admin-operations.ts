/** OpenAPI descriptions of the `/traces` endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const text: JsonObject = { type: 'string', maxLength: 200 };
const status: JsonObject = {
  anyOf: [
    { type: 'string', pattern: '^([1-9]([0-9]{2}|[xX]{2})|0)$' },
    { type: 'integer', minimum: 100, maximum: 999 },
    { const: 0 },
  ],
};

const oneOrMore = (value: JsonObject): JsonObject => ({
  anyOf: [value, { type: 'null' }, { type: 'array', maxItems: 20, items: value }],
});

const patterns = (description: string, example: string, value = text): JsonObject => ({
  description,
  ...oneOrMore(value),
  examples: [example],
});

const recording: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    match: { type: 'object', description: 'The requested match conditions.' },
    sample: { type: 'number' },
    count: { type: 'integer' },
    seconds: { type: 'integer' },
    recorded: { type: 'integer', description: 'Number of requests recorded so far.' },
    until: { type: 'string', format: 'date-time' },
    state: { enum: ['recording', 'over'] },
  },
};

const id = { type: 'string', description: 'ID of a recording.', examples: ['r1'] };

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'POST /traces': {
    summary: 'Records matching requests, with the time spent in each handler',
    description:
      'All threads record requests until the maximum number of requests or the time limit is reached. Secrets are removed before anything is stored.',
    bodyIsOptional: true,
    body: {
      'application/json': {
        type: 'object',
        additionalProperties: false,
        properties: {
          host: patterns('Host without port; `*` matches any string.', '*.example.com'),
          path: patterns('Path; `*` matches any string.', '/cart*'),
          method: patterns('Method.', 'POST'),
          status: patterns('Status code, or a class such as `5xx`.', '5xx', status),
          header: {
            type: 'object',
            additionalProperties: oneOrMore(text),
            description: 'Request header fields and their values. `*` matches any value.',
          },
          sample: {
            type: 'number',
            exclusiveMinimum: 0,
            maximum: 1,
            default: 1,
            description: 'Fraction of matching requests to record.',
          },
          count: {
            type: 'integer',
            minimum: 1,
            maximum: 1000,
            default: 100,
            description: 'Maximum number of requests to record.',
          },
          seconds: {
            type: 'integer',
            minimum: 1,
            maximum: 600,
            default: 60,
            description: 'Maximum duration of the recording, in seconds.',
          },
        },
      },
    },
    responses: { '200': { description: 'The recording.', content: { 'application/json': recording } } },
  },
  'GET /traces': {
    summary: 'Returns past traces and streams new ones',
    description:
      'Sends the server-sent events `recording` and `trace`. If `follow` is `false`, returns past traces as JSON.',
    query: { id, follow: { type: 'boolean', default: true, description: '`false` = do not wait for new traces.' } },
    responses: {
      '200': {
        description: 'The traces.',
        content: {
          'text/event-stream': { type: 'object', description: 'Event data.' },
          'application/json': {
            type: 'object',
            properties: {
              recordings: { type: 'array', items: recording },
              traces: { type: 'array', items: { type: 'object' } },
            },
          },
        },
      },
    },
  },
  'DELETE /traces': {
    summary: 'Stops recordings and deletes their traces',
    query: { id },
    responses: {
      '200': {
        description: 'Number of deleted recordings.',
        content: { 'application/json': { type: 'object', properties: { ended: { type: 'integer' } } } },
      },
    },
  },
};
