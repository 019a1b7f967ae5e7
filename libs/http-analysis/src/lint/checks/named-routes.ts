/** SL012. */
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

export const namedRoutes = defineLint({
  code: 'SL012',
  name: 'unknown-named-route',
  severity: 'warning',
  summary: 'A named route is never invoked, or a handler invokes a route that does not exist.',
  details: `A named route runs where \`invoke\` names it, and nowhere else. One that is never invoked does nothing: it may be left over, or the
handler that should invoke it is missing. The other way round, an \`invoke\` of a name that there is not fails each request.`,
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
            `the server has no named route ${JSON.stringify(target)}; it has ${known || 'none'}`,
            { severity: 'error' },
          );
        }
      }
      for (const [name, { path }] of server.named) {
        if (!invoked.has(name))
          report(path, `is never invoked: remove it, or invoke ${JSON.stringify(name)} where it should run`);
      }
    }
  },
});
