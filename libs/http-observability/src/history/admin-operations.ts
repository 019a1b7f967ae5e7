/** OpenAPI descriptions of the history and listener endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { kept } from './tracked.ts';
import { maxUpstreams, serverFields, upstreamFields } from './stats-history.ts';

const values: JsonObject = { type: 'array', items: { type: ['number', 'null'] } };

const history: JsonObject = {
  type: 'object',
  required: ['step', 'from', 'to', 'kept', 'series', 'upstreams'],
  properties: {
    step: { type: 'integer', description: 'Step length, in seconds.' },
    from: { type: 'string', format: 'date-time', description: 'Start of the first step.' },
    to: {
      type: 'string',
      format: 'date-time',
      description: 'End of the last step. Pass it as `since` in the next request.',
    },
    kept: {
      type: 'array',
      description: 'Available step lengths and their retention times, both in seconds.',
      items: { type: 'object', properties: { step: { type: 'integer' }, seconds: { type: 'integer' } } },
    },
    series: {
      type: 'object',
      description:
        'One value per step, or `null` if the step has no data. Counters are rates per second; `p50`, `p90` and `p99` are latencies in milliseconds; ' +
        '`unhealthy` and `down` are from 0 to 1. `unhealthy` is the fraction of proxies that consider the upstream unhealthy. `down` is the fraction of the step during which all proxies consider it unhealthy.',
      properties: Object.fromEntries([...new Set([...serverFields, ...upstreamFields])].map((name) => [name, values])),
    },
    upstreams: {
      type: 'array',
      description: `Upstreams for which a history is kept, at most ${maxUpstreams}.`,
      items: {
        type: 'object',
        required: ['address', 'downtime_seconds'],
        properties: {
          address: { type: 'string' },
          downtime_seconds: {
            type: 'integer',
            description:
              'Total time during which all proxies considered the upstream unhealthy, in seconds, since its history began.',
          },
        },
      },
    },
  },
};

const number = (description: string): JsonObject => ({ type: 'number', description });

const listeners: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['server', 'listen', 'protocols', 'tls', 'connections', 'limits'],
    properties: {
      server: { type: 'string' },
      listen: { type: 'array', items: { type: 'string' } },
      protocols: { type: 'array', items: { type: 'string' } },
      tls: { type: 'boolean' },
      connections: { type: 'integer', description: 'Open client connections, across all threads.' },
      limits: {
        type: 'object',
        description: 'Limits per connection. Timeouts are in milliseconds; 0 = no limit.',
        properties: {
          read_timeout: number('Timeout for reading a request, in milliseconds.'),
          read_header_timeout: number('Timeout for reading a request header, in milliseconds.'),
          read_idle_timeout: number('Maximum time between two reads of a request body, in milliseconds.'),
          write_timeout: number('Timeout for writing a response, in milliseconds.'),
          write_idle_timeout: number('Maximum time for which a client may stop reading a response, in milliseconds.'),
          idle_timeout: number('Idle timeout for a connection between requests, in milliseconds.'),
          max_header_bytes: number('Maximum size of the request line and header fields, in bytes.'),
        },
      },
    },
  },
};

const [{ step: short, seconds: shortTime }, { step: long, seconds: longTime }] = kept;

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /stats/history': {
    summary: 'Returns a history of statistics for the server or an upstream',
    description:
      `Kept in memory since startup: ${short} s steps for ${shortTime / 3600} h, and ${long} s steps for ${longTime / 3600} h. ` +
      'Not collected while `admin.ui` is false.',
    query: {
      range: {
        type: 'string',
        default: '1h',
        description: 'Time range up to now, at most 24h.',
        examples: ['5m', '24h'],
      },
      step: {
        type: 'string',
        enum: ['10s', '60s', '1m'],
        description: 'Step length. Default: the shortest step that covers the range.',
      },
      since: {
        type: 'string',
        format: 'date-time',
        description: 'Returns only steps from this time on. Use `to` from an earlier response.',
      },
      upstream: { type: 'string', description: 'Upstream address. Default: statistics for the whole server.' },
    },
    responses: { '200': { description: 'The history.', content: { 'application/json': history } } },
  },
  'GET /stats/listeners': {
    summary: 'Returns the listeners of all servers, with their limits and connections',
    responses: { '200': { description: 'The servers.', content: { 'application/json': listeners } } },
  },
};
