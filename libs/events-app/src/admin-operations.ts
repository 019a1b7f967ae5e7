/** What the route of events is for, in the description of the admin API. */
import type { AdminOperations } from '@sluice/registry';

const texts = { type: 'array', items: { type: 'string' } };

/** By method and path. */
export const operations: AdminOperations = {
  'GET /events': {
    summary: 'What happens in the server, as it happens',
    description: 'Server-sent events, each a CloudEvent as JSON. docs/reference/events.md lists them.',
    query: {
      name: { ...texts, description: 'Only events of these names.' },
      origin: { ...texts, description: 'Only events of these origins, each with all below it.' },
    },
    responses: {
      '200': {
        description: 'A stream that goes on.',
        content: { 'text/event-stream': { type: 'object', description: 'Each event.' } },
      },
    },
  },
};
