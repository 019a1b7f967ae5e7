/** What the routes of metrics and profiles are for, in the description of the admin API. */
import type { AdminOperations } from '@sluice/registry';

const thread = { type: 'integer', minimum: 0, description: 'Number of the thread: 0 is the control thread.' };

/** By method and path. */
export const operations: AdminOperations = {
  'GET /metrics': {
    summary: 'The metrics of all threads',
    description: 'For Prometheus, or as OpenMetrics where Accept asks for it.',
    responses: {
      '200': {
        description: 'The metrics.',
        content: { 'text/plain': { type: 'string' }, 'application/openmetrics-text': { type: 'string' } },
      },
    },
  },
  'GET /debug/vars': {
    summary: 'Memory and event loops of all threads',
    responses: { '200': { description: 'By thread.', content: { 'application/json': { type: 'object' } } } },
  },
  'GET /debug/pprof/profile': {
    summary: 'Takes a profile of a thread',
    query: {
      thread,
      seconds: { type: 'integer', minimum: 1, maximum: 60, default: 30, description: 'How long.' },
    },
    responses: { '200': { description: 'A profile of V8.', content: { 'application/json': { type: 'object' } } } },
  },
  'GET /debug/pprof/heap': {
    summary: 'Takes a snapshot of the heap of a thread',
    description: 'The thread stands still meanwhile.',
    query: { thread },
    responses: {
      '200': { description: 'A snapshot of V8.', content: { 'application/json': { type: 'object' } } },
    },
  },
  'GET /debug/pprof/{*rest}': {
    summary: 'A page with links to these',
    responses: { '200': { description: 'For browsers.', content: { 'text/html': { type: 'string' } } } },
  },
};
