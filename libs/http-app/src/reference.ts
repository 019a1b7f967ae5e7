import type { PackageReference } from '@sluice/registry';
import { listenerEvents } from './listener/events.ts';
import { requestMetrics } from './metrics/families.ts';
import { requestPlaceholders } from './placeholders/describe.ts';
import { upstreamHealthEvents } from './proxy/events.ts';

export const reference: PackageReference = {
  examples: {
    http: {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              routes: [
                {
                  match: [{ path: ['/hello'] }],
                  handle: [{ handler: 'static_response', body: 'hello' }],
                  terminal: true,
                },
                { handle: [{ handler: 'file_server', root: '/tmp/sluice-example' }] },
              ],
              errors: { routes: [{ handle: [{ handler: 'static_response', body: '{http.error.status_text}' }] }] },
            },
          },
        },
      },
    },
  },
  placeholders: requestPlaceholders,
  events: [...Object.values(listenerEvents), ...Object.values(upstreamHealthEvents)],
  metrics: Object.values(requestMetrics),
};
