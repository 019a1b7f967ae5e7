/** Lint check SL043. */
import { own } from '@sluice/base';
import { defineLint } from '@sluice/registry';
import { says, serverExample } from '../example.ts';
import type { HandlerModel, RouteModel, ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const invokeLoop = defineLint({
  code: 'SL043',
  name: 'invoke-loop',
  severity: 'error',
  summary: 'A named route invokes itself, directly or through others.',
  details: `A request that reaches the route recurses until it exceeds the nesting limit, and then fails. Move the common part into a named route that does not invoke other routes. The check reports routes that invoke themselves for every request; if there is a matcher in between, the recursion may end.`,
  bad: serverExample([{ handle: [{ handler: 'invoke', name: 'again' }] }], {
    named_routes: { again: { handle: [{ handler: 'invoke', name: 'again' }] } },
  }),
  good: serverExample([{ handle: [{ handler: 'invoke', name: 'greeting' }] }], {
    named_routes: { greeting: { handle: [says('hello')] } },
  }),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      if (server.named.size === 0) continue;
      const done = new Set<string>();
      for (const name of server.named.keys()) {
        const circle = done.has(name) ? [] : circleFrom(server, name);
        for (const each of circle) done.add(each.name);
        const [first, ...others] = circle;
        if (first === undefined) continue;
        const way = [...circle.map((each) => each.name), first.name].join(' → ');
        report([...first.handler.path, 'name'], `invokes itself recursively (${way}): remove one of these handlers`, {
          related: others.map(({ handler }) => ({ path: handler.path, message: 'a handler in the loop' })),
        });
      }
    }
  },
});

/** A named route, and its handler that invokes the next named route. */
interface Call {
  readonly name: string;
  readonly handler: HandlerModel;
}

/** Returns the calls that lead from a named route back to the same route. Returns an empty list unless every request follows these calls. */
function circleFrom(server: ServerModel, start: string): readonly Call[] {
  const calls: Call[] = [];
  let name = start;
  while (calls.length <= server.named.size) {
    const route = server.named.get(name);
    const handler = route === undefined ? null : firstInvoke(route);
    if (handler === null) return [];
    calls.push({ name, handler });
    name = String(own(handler.node, 'name'));
    if (name === start) return calls;
  }
  return [];
}

/** Returns the first `invoke` handler that every request of a route reaches. */
function firstInvoke({ sets, handlers }: RouteModel): HandlerModel | null {
  if (sets.length > 0) return null;
  for (const handler of handlers) {
    if (handler.name === 'invoke') return handler;
    if (handler.name === 'subroute') {
      for (const route of handler.lists[0]?.routes ?? []) {
        if (route.sets.length > 0 || route.group !== '') return null;
        const found = firstInvoke(route);
        if (found !== null || route.terminal) return found;
      }
      continue;
    }
    if (handler.flow.responds !== false) return null;
  }
  return null;
}
