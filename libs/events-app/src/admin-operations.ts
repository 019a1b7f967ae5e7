import type { AdminOperations } from '@sluice/registry';

const texts = { type: 'array', items: { type: 'string' } };

export const operations: AdminOperations = {
  'GET /events': {
    summary: 'Streams server events',
    description: 'Server-sent events, each a CloudEvent in JSON format. See docs/reference/events.md for a list.',
    query: {
      name: { ...texts, description: 'Return only events with these names.' },
      origin: { ...texts, description: 'Return only events from these origins, including nested origins.' },
    },
    responses: {
      '200': {
        description: 'Continuous stream.',
        content: { 'text/event-stream': { type: 'object', description: 'Data of an event.' } },
      },
    },
  },
};
