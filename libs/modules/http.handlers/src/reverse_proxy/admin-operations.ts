/** What the routes of upstreams are for, in the description of the admin API. */
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
    proxies: {
      type: 'array',
      description:
        'Only with `detail`: the proxies that use it, by `where`. `last_check` contains the time and error of the last active check.',
      items: { type: 'object' },
    },
  },
};

function drain(summary: string): AdminOperation {
  return {
    summary,
    path: { address: 'Address of the upstream, as it is dialed.' },
    responses: { '200': { description: 'Current state.', content: { 'application/json': upstream } } },
  };
}

/** By method and path. */
export const operations: AdminOperations = {
  'GET /reverse_proxy/upstreams': {
    summary: 'Lists the upstreams of all proxies',
    query: { detail: { type: 'string', description: 'Include details of each upstream.' } },
    responses: {
      '200': {
        description: 'The upstreams.',
        content: { 'application/json': { type: 'array', items: upstream } },
      },
    },
  },
  'POST /reverse_proxy/upstreams/:address/drain': drain('Keeps new requests from an upstream'),
  'DELETE /reverse_proxy/upstreams/:address/drain': drain('Lets requests come to an upstream again'),
};
