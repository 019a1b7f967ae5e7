/** OpenAPI descriptions of the `/stats` endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { statusClasses } from '@sluice/http-app';

const integer: JsonObject = { type: 'integer' };
const milliseconds: JsonObject = { type: 'number' };
const times = ['mean', 'p50', 'p90', 'p99', 'max'];

const counts: JsonObject = {
  requests: { type: 'integer', description: 'Completed requests.' },
  in_flight: { type: 'integer', description: 'Requests in flight.' },
  status: {
    type: 'object',
    description: 'Requests by status class. `cut` counts requests that ended before a response started.',
    properties: Object.fromEntries(statusClasses.map((name) => [name, integer])),
  },
  bytes_in: { type: 'integer', description: 'Number of request body bytes received.' },
  bytes_out: { type: 'integer', description: 'Number of response body bytes sent.' },
  latency_ms: {
    type: ['object', 'null'],
    description: 'Time from the request header to the end of the response, in milliseconds, with an error of up to 5%.',
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
    seconds: { type: 'number', description: 'Time between `since` and `at`, in seconds.' },
    total: { type: 'object', properties: counts },
    servers: list({ server: text }),
    routes: list({
      path: { type: 'string', description: 'Path of the route in the configuration.' },
      id: { type: ['string', 'null'], description: 'Its `@id`.' },
      server: text,
      own: { type: 'integer', description: 'Requests that none of the nested routes handled.' },
    }),
    hosts: list({ host: { type: 'string', description: 'Empty = all others.' }, server: text }),
    upstreams: list({
      address: { type: 'string', description: 'Empty = all others.' },
      retries: { type: 'integer', description: 'Requests sent to this upstream after another attempt failed.' },
    }),
    left_out: {
      type: 'object',
      description: 'Number of omitted entries.',
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
    description: 'Maximum number of entries per list, sorted by number of requests.',
  },
  lists: {
    type: 'string',
    description: 'Lists to include, separated by commas: `servers`, `routes`, `hosts`, `upstreams`. Default: all.',
    examples: ['hosts,upstreams'],
  },
  server: { type: 'string', description: 'Only statistics of this server.' },
  under: {
    type: 'string',
    description: 'Only routes whose path has this prefix.',
    examples: ['apps.http.servers.example.routes[0]'],
  },
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /stats': {
    summary: 'Returns request statistics by server, route, host and upstream',
    description:
      'Counts requests on all threads since the process started. Statistics are always collected; see docs/guide/observing.md.',
    query,
    responses: { '200': { description: 'The statistics.', content: { 'application/json': stats } } },
  },
  'GET /stats/stream': {
    summary: 'Streams request statistics, by default once per second',
    description:
      'Sends server-sent events. The first event is `stats`, with the response of `GET /stats`. One `delta` event per interval follows, with the same structure, for the time since the previous event.',
    query: {
      ...query,
      every: {
        type: 'integer',
        minimum: 1,
        maximum: 60,
        default: 1,
        description: 'Interval between events, in seconds.',
      },
    },
    responses: {
      '200': {
        description: 'Continuous stream.',
        content: { 'text/event-stream': { type: 'object', description: 'Event data.' } },
      },
    },
  },
};
