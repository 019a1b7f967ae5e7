import type { JsonObject } from '@sluice/base';
import type { AdminOperation, AdminOperations } from '@sluice/registry';

const upstream: JsonObject = {
  type: 'object',
  required: ['address', 'num_requests', 'fails'],
  properties: {
    address: { type: 'string' },
    num_requests: { type: 'integer', description: 'Requests in flight.' },
    fails: { type: 'integer', description: 'Number of failures currently counted by passive health checks.' },
    state: {
      enum: ['healthy', 'unhealthy', 'degraded', 'unknown'],
      description: 'Worst state among the proxies that use the upstream. Only with `detail`.',
    },
    reason: { type: 'string', description: 'Reason for the state. Only with `detail`.' },
    since: {
      type: 'string',
      format: 'date-time',
      description: 'Time when the current state began. Only with `detail`.',
    },
    draining: {
      type: 'boolean',
      description: '`true` if the upstream is draining and gets no new requests. Only with `detail`.',
    },
    queued: {
      type: 'integer',
      description:
        'Number of queued requests that this upstream can serve. A request that can use several upstreams is counted for each of these upstreams. Only with `detail`.',
    },
    proxies: {
      type: 'array',
      description:
        'Proxies that use the upstream, identified by `where`. Only with `detail`. `last_check` contains the time and error of the last active check, and `ejected_until` the end of an ejection by outlier detection.',
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
    fails: integer('Current number of failures counted by passive health checks.'),
    draining: { type: 'boolean', description: '`true` if the upstream is draining and gets no new requests.' },
    queued: integer(
      'Number of queued requests that this upstream can serve. A request that can use several upstreams is counted for each of these upstreams.',
    ),
    latency_ms: {
      type: 'number',
      description: 'Mean latency of recent responses, in milliseconds; 0 before the first response.',
    },
    used_by: integer('Number of proxies that use the upstream.'),
    unhealthy: integer('Number of proxies that consider the upstream unhealthy.'),
    checked: integer('Number of proxies with active health checks for the upstream.'),
    ejected_until: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'End of the ejection by outlier detection, or null.',
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
        '`true` if `upstreams` contains all upstreams. This is the case if `since` is missing or invalid, or if an upstream was removed after the cursor in `since` was issued.',
    },
    upstreams: { type: 'array', items: row },
  },
};

function drain(summary: string): AdminOperation {
  return {
    summary,
    path: { address: 'Upstream address, as dialed.' },
    responses: { '200': { description: 'Current state.', content: { 'application/json': upstream } } },
  };
}

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /reverse_proxy/upstreams': {
    summary: 'Lists the upstreams of all proxies',
    query: {
      detail: { type: 'string', description: 'Include the health state and the proxies of each upstream.' },
      address: {
        type: 'string',
        description: 'Return only the upstream with this address. Ignored unless `detail` is set.',
      },
      offset: {
        type: 'integer',
        minimum: 0,
        default: 0,
        description: 'Number of proxies to skip. Ignored unless `address` is set.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 100,
        description:
          'Maximum number of proxies to return. Ignored unless `address` is set. `used_by` in the response is the total number of proxies.',
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
    summary: 'Returns health and counters of all upstreams, or only of changed upstreams',
    description:
      'Intended for polling. The response contains the number of proxies instead of a list of them. If `since` is set, unchanged upstreams are omitted.',
    query: { since: { type: 'string', description: '`cursor` of an earlier response.' } },
    responses: { '200': { description: 'The upstreams.', content: { 'application/json': changes } } },
  },
  'POST /reverse_proxy/upstreams/:address/drain': drain('Drains an upstream'),
  'DELETE /reverse_proxy/upstreams/:address/drain': drain('Resumes requests to an upstream'),
};
