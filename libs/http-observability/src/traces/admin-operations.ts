/** OpenAPI descriptions of the trace routes. */
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
    match: { type: 'object', description: 'As it was asked for.' },
    sample: { type: 'number' },
    count: { type: 'integer' },
    seconds: { type: 'integer' },
    recorded: { type: 'integer', description: 'Requests so far.' },
    until: { type: 'string', format: 'date-time' },
    state: { enum: ['recording', 'over'] },
  },
};

const id = { type: 'string', description: 'Of this recording alone.', examples: ['r1'] };

/** Operations by method and path. */
export const operations: AdminOperations = {
  'POST /traces': {
    summary: 'Records requests that match, with the time that each handler took',
    description:
      'All threads record until so many requests are recorded or so much time is over. Secrets are taken out before anything is kept.',
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
            description: 'Request fields and their values. `*` matches any value.',
          },
          sample: {
            type: 'number',
            exclusiveMinimum: 0,
            maximum: 1,
            default: 1,
            description: 'Share of the matching requests to record.',
          },
          count: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Most requests.' },
          seconds: { type: 'integer', minimum: 1, maximum: 600, default: 60, description: 'Longest time.' },
        },
      },
    },
    responses: { '200': { description: 'The recording.', content: { 'application/json': recording } } },
  },
  'GET /traces': {
    summary: 'What was recorded, and what comes',
    description: 'Server-sent events: `recording` and `trace`. With `follow=false` what was recorded so far, as JSON.',
    query: { id, follow: { type: 'boolean', default: true, description: '`false`: do not wait for more.' } },
    responses: {
      '200': {
        description: 'The traces.',
        content: {
          'text/event-stream': { type: 'object', description: 'Each event.' },
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
    summary: 'Ends recordings and forgets what they have recorded',
    query: { id },
    responses: {
      '200': {
        description: 'How many there were.',
        content: { 'application/json': { type: 'object', properties: { ended: { type: 'integer' } } } },
      },
    },
  },
};
