/** Descriptions of the upstream routes, for the OpenAPI document. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperation, AdminOperations } from '@sluice/registry';

const upstream: JsonObject = {
  type: 'object',
  required: ['address', 'num_requests', 'fails'],
  properties: {
    address: { type: 'string' },
    num_requests: { type: 'integer', description: 'Requests in flight.' },
    fails: { type: 'integer', description: 'Failures currently counted by passive health checks.' },
    state: {
      enum: ['healthy', 'unhealthy', 'degraded', 'unknown'],
      description: 'Only with `detail`: the worst state that a proxy reports.',
    },
    reason: { type: 'string', description: 'Only with `detail`: reason for the state.' },
    since: { type: 'string', format: 'date-time', description: 'Only with `detail`: start of the state.' },
    draining: { type: 'boolean', description: 'Only with `detail`: whether new requests are kept away from it.' },
    queued: {
      type: 'integer',
      description:
        'Only with `detail`: requests in queues that wait for it. A request that may use several upstreams counts at each.',
    },
    proxies: {
      type: 'array',
      description:
        'Only with `detail`: the proxies that use it, by `where`. `last_check` contains the time and error of the last active check, and `ejected_until` the end of an ejection by outlier detection.',
      items: { type: 'object' },
    },
  },
};

const integer = (description: string): JsonObject => ({ type: 'integer', description });

const row: JsonObject = {
  type: 'object',
  required: [
    'address',
    'num_requests',
    'fails',
    'draining',
    'queued',
    'latency_ms',
    'used_by',
    'unhealthy',
    'checked',
    'ejected_until',
    'last_check',
  ],
  properties: {
    address: { type: 'string' },
    num_requests: integer('Requests in flight.'),
    fails: integer('Current number of failures in passive health checks.'),
    draining: { type: 'boolean', description: 'True if it receives no new requests.' },
    queued: integer('Requests in queues that wait for it. A request that may use several upstreams counts at each.'),
    latency_ms: {
      type: 'number',
      description: 'Mean latency of the latest responses, in milliseconds; 0 before the first one.',
    },
    used_by: integer('Number of proxies that use it.'),
    unhealthy: integer('Number of proxies that consider it unhealthy.'),
    checked: integer('Number of proxies with active health checks of it.'),
    ejected_until: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'End of its ejection by outlier detection, or null.',
    },
    last_check: {
      type: ['object', 'null'],
      description: 'Latest active health check, or null.',
      properties: { time: { type: 'string', format: 'date-time' }, problem: { type: ['string', 'null'] } },
    },
  },
};

const changes: JsonObject = {
  type: 'object',
  required: ['cursor', 'complete', 'upstreams'],
  properties: {
    cursor: { type: 'string', description: 'Value for `since` in the next request.' },
    complete: {
      type: 'boolean',
      description:
        'True if `upstreams` has all upstreams: without `since`, if it is not valid here, or if an upstream was removed after it.',
    },
    upstreams: { type: 'array', items: row },
  },
};

function drain(summary: string): AdminOperation {
  return {
    summary,
    path: { address: 'Address of the upstream, as it is dialed.' },
    responses: { '200': { description: 'Current state.', content: { 'application/json': upstream } } },
  };
}

/** Operations by method and path. */
export const operations: AdminOperations = {
  'GET /reverse_proxy/upstreams': {
    summary: 'Lists the upstreams of all proxies',
    query: {
      detail: { type: 'string', description: 'Include health and proxies.' },
      address: { type: 'string', description: 'With `detail`: only the upstream with this address.' },
      offset: { type: 'integer', minimum: 0, default: 0, description: 'With `address`: number of proxies to skip.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 100,
        description:
          'With `address`: maximum number of proxies. `used_by` in the response is the number of all proxies.',
      },
    },
    responses: {
      '200': {
        description: 'The upstreams.',
        content: { 'application/json': { type: 'array', items: upstream } },
      },
    },
  },
  'GET /reverse_proxy/upstreams/summary': {
    summary: 'Returns health and counters of all upstreams, or only what changed',
    description: 'For clients that poll: proxies are counted, not listed, and `since` leaves out unchanged upstreams.',
    query: { since: { type: 'string', description: 'The `cursor` of an earlier response.' } },
    responses: { '200': { description: 'The upstreams.', content: { 'application/json': changes } } },
  },
  'POST /reverse_proxy/upstreams/:address/drain': drain('Drains an upstream'),
  'DELETE /reverse_proxy/upstreams/:address/drain': drain('Resumes requests to an upstream'),
};
