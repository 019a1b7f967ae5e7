/** What the routes of the stats are for, in the description of the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { statusClasses } from '@sluice/http-app';

const integer: JsonObject = { type: 'integer' };
const milliseconds: JsonObject = { type: 'number' };
const times = ['mean', 'p50', 'p90', 'p99', 'max'];

const counts: JsonObject = {
  requests: { type: 'integer', description: 'That are over.' },
  in_flight: { type: 'integer', description: 'That wait for something now.' },
  status: {
    type: 'object',
    description: 'Requests by the class of their status; `cut`: over before a response began.',
    properties: Object.fromEntries(statusClasses.map((name) => [name, integer])),
  },
  bytes_in: { type: 'integer', description: 'Bytes of request bodies.' },
  bytes_out: { type: 'integer', description: 'Bytes of response bodies.' },
  latency_ms: {
    type: ['object', 'null'],
    description: 'Milliseconds from the head of the request to the end of the response, at most 5 % off.',
    properties: Object.fromEntries(times.map((name) => [name, milliseconds])),
  },
};

const list = (properties: JsonObject): JsonObject => ({
  type: 'array',
  items: { type: 'object', properties: { ...properties, ...counts } },
});

const text: JsonObject = { type: 'string' };

const stats: JsonObject = {
  type: 'object',
  properties: {
    at: { type: 'string', format: 'date-time' },
    since: { type: 'string', format: 'date-time' },
    seconds: { type: 'number', description: 'From `since` to `at`.' },
    total: { type: 'object', properties: counts },
    servers: list({ server: text }),
    routes: list({
      path: { type: 'string', description: 'Where the route stands in the configuration.' },
      id: { type: ['string', 'null'], description: 'Its `@id`.' },
      server: text,
      own: { type: 'integer', description: 'Requests that no route within it took.' },
    }),
    hosts: list({ host: { type: 'string', description: 'Empty: all others.' }, server: text }),
    upstreams: list({ address: { type: 'string', description: 'Empty: all others.' } }),
    left_out: {
      type: 'object',
      description: 'How many more there are.',
      properties: { routes: integer, hosts: integer, upstreams: integer },
    },
  },
};

const query = {
  top: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 20,
    description: 'Most entries of each list, those with the most requests first.',
  },
  server: { type: 'string', description: 'Only what is counted of this server.' },
  under: {
    type: 'string',
    description: 'Only routes whose path begins so.',
    examples: ['apps.http.servers.example.routes[0]'],
  },
};

/** By method and path. */
export const operations: AdminOperations = {
  'GET /stats': {
    summary: 'What was served so far, by server, route, host and upstream',
    description: 'Of all threads, since the process began. It is counted always; see docs/guide/observing.md.',
    query,
    responses: { '200': { description: 'The stats.', content: { 'application/json': stats } } },
  },
  'GET /stats/stream': {
    summary: 'The same, and once a second what has come since',
    description:
      'Server-sent events: first `stats`, with what `GET /stats` responds; then once a second `delta`, which has the same shape and what was counted since the event before.',
    query,
    responses: {
      '200': {
        description: 'A stream that goes on.',
        content: { 'text/event-stream': { type: 'object', description: 'Each event.' } },
      },
    },
  },
};
