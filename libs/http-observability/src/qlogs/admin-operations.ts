/** OpenAPI descriptions of the `/qlogs` endpoints. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const client: JsonObject = { type: 'string', maxLength: 64, examples: ['192.0.2.0/24'] };

const request: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    client: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer' },
    seconds: { type: 'integer' },
    logged: { type: 'integer', description: 'Number of connections logged so far.' },
    until: { type: 'string', format: 'date-time' },
    state: { enum: ['waiting', 'over'] },
  },
};

const log: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    request: { type: 'string' },
    client: { type: 'string', description: 'IP address.' },
    begun: { type: 'string', format: 'date-time' },
    bytes: { type: 'integer' },
    state: { enum: ['open', 'closed'] },
    truncated: { type: 'boolean', description: 'The log has reached 4 MiB, and later events were omitted.' },
  },
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'POST /qlogs': {
    summary: 'Logs the next QUIC connections',
    description:
      'Logs packets, frames, losses and congestion of the next HTTP/3 connections in the qlog format. Payloads are not logged.',
    bodyIsOptional: true,
    body: {
      'application/json': {
        type: 'object',
        additionalProperties: false,
        properties: {
          client: {
            description: 'Client IP addresses or CIDR ranges. Default: all clients.',
            anyOf: [client, { type: 'null' }, { type: 'array', maxItems: 20, items: client }],
          },
          count: {
            type: 'integer',
            minimum: 1,
            maximum: 20,
            default: 1,
            description: 'Maximum number of connections.',
          },
          seconds: {
            type: 'integer',
            minimum: 1,
            maximum: 600,
            default: 60,
            description: 'Maximum time to wait for connections, in seconds.',
          },
        },
      },
    },
    responses: { '200': { description: 'The request.', content: { 'application/json': request } } },
  },
  'GET /qlogs': {
    summary: 'Returns QUIC connection logs',
    description:
      'If `id` is omitted, lists requests and logs. Otherwise, returns the log in qlog format, as a JSON text sequence.',
    query: { id: { type: 'string', description: 'ID of a log.', examples: ['q1-1'] } },
    responses: {
      '200': {
        description: 'List of requests and logs, or the log with the given `id`.',
        content: {
          'application/json': {
            type: 'object',
            properties: { requests: { type: 'array', items: request }, logs: { type: 'array', items: log } },
          },
          'application/qlog+json-seq': { type: 'string' },
        },
      },
    },
  },
  'DELETE /qlogs': {
    summary: 'Stops logging QUIC connections and deletes all their logs',
    responses: {
      '200': {
        description: 'Number of deleted logs.',
        content: { 'application/json': { type: 'object', properties: { dropped: { type: 'integer' } } } },
      },
    },
  },
};
