/** What the routes of metrics and profiles are for, in the description of the admin API. */
import type { AdminOperations } from '@sluice/registry';

const thread = {
  type: 'integer',
  minimum: 0,
  maximum: 1024,
  description: 'Number of the thread: 0 is the control thread.',
};

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
  'GET /logs/stream': {
    summary: 'The lines of logs, as they are written',
    description:
      'Of all logs and threads, with what the configuration has their encoders leave out left out. It begins with an event `following`; an event `line` has `output`, the key of its writer, and `line`. Of more than a thousand lines in a second the rest is counted, in events `dropped`.',
    query: {
      find: { type: 'string', maxLength: 200, description: 'Only lines with this text, in any case of letters.' },
      output: { type: 'string', maxLength: 200, description: 'Only lines of this output.', examples: ['stderr'] },
    },
    responses: {
      '200': {
        description: 'Server-sent events that go on.',
        content: { 'text/event-stream': { type: 'object', description: 'Each event.' } },
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
