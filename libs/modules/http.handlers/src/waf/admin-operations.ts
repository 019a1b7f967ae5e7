import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const integer = (description: string): JsonObject => ({ type: 'integer', description });

const rule: JsonObject = {
  rule: integer('ID of the rule.'),
  phase: integer('Phase of the rule: 1 = request header, 2 = request body, 3 = response header, 4 = response body.'),
  count: integer('Number of requests that the rule blocked.'),
};

const engine: JsonObject = {
  rules: { type: 'string', description: 'Name of the rule set, or the first included file.' },
  state: { type: 'string', enum: ['running', 'restarting'] },
  pid: { type: ['integer', 'null'], description: 'Process ID.' },
  started: { type: 'string', format: 'date-time', description: 'Time of the latest WAF engine start.' },
  restarts: integer('Number of restarts after the WAF engine exited.'),
  last_exit: { type: ['string', 'null'], description: 'Exit code or signal of the latest WAF engine exit.' },
  passed: integer('Number of requests that passed.'),
  blocked: integer('Number of requests that a rule blocked.'),
  unavailable: integer('Number of requests that were rejected because the engine failed.'),
  uninspected: integer('Number of requests that passed without inspection because the engine failed.'),
  in_flight: integer('Number of inspections that are running or queued in the WAF engine.'),
  p50_ms: {
    type: ['number', 'null'],
    description: 'Median inspection latency in milliseconds, as the upper bound of its histogram bucket.',
  },
  p99_ms: {
    type: ['number', 'null'],
    description: 'p99 inspection latency in milliseconds, as the upper bound of its histogram bucket.',
  },
  blocked_by: {
    type: 'array',
    description: 'Rules that blocked the most requests, at most 50.',
    items: { type: 'object', properties: rule },
  },
};

export const operations: AdminOperations = {
  'GET /waf': {
    summary: 'Lists the WAF engines with their counters',
    responses: {
      '200': {
        description: 'There is one WAF engine per rule set.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: engine } } },
      },
    },
  },
};
