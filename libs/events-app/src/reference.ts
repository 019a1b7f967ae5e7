import type { PackageReference } from '@sluice/registry';
import { eventPlaceholders } from './describe-placeholders.ts';

export const reference: PackageReference = {
  examples: {
    events: {
      apps: {
        events: {
          subscriptions: [
            {
              events: ['unhealthy'],
              modules: ['http'],
              handlers: [{ handler: 'exec', command: 'logger', args: ['{event.data.host} is not well'] }],
            },
          ],
        },
      },
    },
  },
  placeholders: [
    {
      title: 'Events',
      where: 'Options of event handlers, such as the arguments of `exec`.',
      names: eventPlaceholders,
    },
  ],
};
