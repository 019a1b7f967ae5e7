/** OpenAPI descriptions of the endpoints for metrics, logs and profiles. */
import type { AdminOperations } from '@sluice/registry';

const thread = {
  type: 'integer',
  minimum: 0,
  maximum: 1024,
  description: 'Thread number. 0 = the control thread.',
};

/** OpenAPI operations by method and path. */
export const operations: AdminOperations = {
  'GET /metrics': {
    summary: 'Returns the metrics of all threads',
    description: 'Metrics in Prometheus format, or in OpenMetrics format if the Accept header field requests it.',
    responses: {
      '200': {
        description: 'The metrics.',
        content: { 'text/plain': { type: 'string' }, 'application/openmetrics-text': { type: 'string' } },
      },
    },
  },
  'GET /logs/stream': {
    summary: 'Streams log lines as they are written',
    description:
      'Includes lines from all logs and threads that pass the configured filters. The stream starts with a `following` event. A `line` event contains `output`, the key of the log writer, and `line`. At most 1000 lines are sent per second. Additional lines are counted in `dropped` events.',
    query: {
      find: {
        type: 'string',
        maxLength: 200,
        description: 'Return only lines that contain this text, case-insensitively.',
      },
      output: {
        type: 'string',
        maxLength: 200,
        description: 'Return only lines from this output.',
        examples: ['stderr'],
      },
    },
    responses: {
      '200': {
        description: 'Continuous server-sent events.',
        content: { 'text/event-stream': { type: 'object', description: 'Data of an event in the stream.' } },
      },
    },
  },
  'GET /debug/vars': {
    summary: 'Returns memory and event loop statistics of all threads',
    responses: { '200': { description: 'Statistics by thread.', content: { 'application/json': { type: 'object' } } } },
  },
  'GET /debug/pprof/profile': {
    summary: 'Records a CPU profile of a thread',
    query: {
      thread,
      seconds: { type: 'integer', minimum: 1, maximum: 60, default: 30, description: 'Duration.' },
    },
    responses: { '200': { description: 'A V8 CPU profile.', content: { 'application/json': { type: 'object' } } } },
  },
  'GET /debug/pprof/heap': {
    summary: 'Takes a heap snapshot of a thread',
    description: 'The thread is paused while the snapshot is taken.',
    query: { thread },
    responses: {
      '200': { description: 'A V8 heap snapshot.', content: { 'application/json': { type: 'object' } } },
    },
  },
  'GET /debug/pprof/{*rest}': {
    summary: 'Returns a page with links to the debug endpoints',
    responses: { '200': { description: 'For browsers.', content: { 'text/html': { type: 'string' } } } },
  },
};
