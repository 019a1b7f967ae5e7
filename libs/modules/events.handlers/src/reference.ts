/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'events.handlers.exec': {
      apps: {
        events: {
          subscriptions: [
            {
              events: ['cert_failed'],
              handlers: [
                {
                  handler: 'exec',
                  command: 'logger',
                  args: ['no certificate for {event.data.identifier}'],
                  timeout: '5s',
                },
              ],
            },
          ],
        },
      },
    },
  },
};
