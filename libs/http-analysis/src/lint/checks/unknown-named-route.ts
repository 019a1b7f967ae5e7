/** Lint check SL012. */
import { own, type JsonObject } from '@sluice/base';
import { defineLint, nativeJson } from '@sluice/registry';
import { everyRoute } from '../every-route.ts';
import { serversOf } from '../servers.ts';

const server = (handler: JsonObject): object => ({
  apps: {
    http: {
      servers: {
        web: {
          listen: [':8080'],
          routes: [{ handle: [handler] }],
          named_routes: { greeting: { handle: [{ handler: 'static_response', body: 'hello' }] } },
        },
      },
    },
  },
});

export const unknownNamedRoute = defineLint({
  code: 'SL012',
  name: 'unknown-named-route',
  severity: 'warning',
  summary: 'A named route is never invoked, or a handler invokes an unknown one.',
  details: `A named route runs only if an \`invoke\` handler refers to it. If it is never invoked, it may be a leftover, or the handler that should invoke it is missing. An \`invoke\` with an unknown name fails every request.`,
  bad: nativeJson(server({ handler: 'static_response', body: 'good day' })),
  good: nativeJson(server({ handler: 'invoke', name: 'greeting' })),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      const invoked = new Set<string>();
      for (const { handlers } of everyRoute(server)) {
        for (const handler of handlers) {
          if (handler.name !== 'invoke') continue;
          const { node, path } = handler;
          const target = own(node, 'name') ?? '';
          if (typeof target !== 'string') continue;
          invoked.add(target);
          if (server.named.has(target)) continue;
          const known = [...server.named.keys()].join(', ');
          report(
            [...path, 'name'],
            `unknown named route ${JSON.stringify(target)}; this server has ${known || 'none'}`,
            { severity: 'error' },
          );
        }
      }
      for (const [name, { path }] of server.named) {
        if (!invoked.has(name))
          report(path, `is never invoked: remove it, or add "invoke ${name}" where it should run`);
      }
    }
  },
});
