/** Layer 4 routes as configured, with matcher sets and handlers. */
import { isObject, type JsonArray, type JsonObject } from '@sluice/base';
import { inlineModules, moduleSets, options, type Context, type Options, type Segment } from '@sluice/registry';
import type { Layer4Connection } from '../connection/connection.ts';
import { ConnectionCount } from '../connection/counts.ts';
import { layer4Handlers, layer4Matchers, type Layer4Handler, type Layer4Next } from '../contracts.ts';
import type { Layer4MatcherSet } from './matching.ts';

export const layer4RouteOptions = options({
  match: moduleSets(
    'Matcher sets. The route applies if at least one set matches; a set matches if all its matchers match. Default: the route always applies.',
    layer4Matchers,
  ),
  handle: inlineModules(
    'Handlers, in order. Each handler decides whether to call the next one.',
    layer4Handlers,
    'handler',
  ),
});

/** A provisioned route. */
export interface Layer4Route {
  readonly sets: readonly Layer4MatcherSet[];
  /** Runs the handlers of the route, then the routes after it. */
  readonly run: Layer4Next;
  readonly count: ConnectionCount;
}

export async function provisionLayer4Route(node: JsonObject, context: Context<Layer4Route>): Promise<Layer4Route> {
  const config = node as Options<typeof layer4RouteOptions>;
  const sets = await loadLayer4Sets(config.match ?? [], context, 'match');
  const handlers = await context.loadInlineList(layer4Handlers, config.handle ?? [], 'handler', 'handle');
  const count = context.previous?.count ?? new ConnectionCount();
  return { sets, run: composeHandlers(handlers, passed), count };
}

/** Loads matcher sets. `at` is their position in the module's options. */
export async function loadLayer4Sets(
  nodes: JsonArray,
  context: Context,
  ...at: Segment[]
): Promise<Layer4MatcherSet[]> {
  const sets: Layer4MatcherSet[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node !== null && !isObject(node)) throw context.error('must be an object of matchers', ...at, index);
    sets.push(node === null ? [] : [...(await context.loadMap(layer4Matchers, node, ...at, index)).values()]);
  }
  return sets;
}

/** Composes handlers into one function. `last` runs after all handlers. */
export function composeHandlers(handlers: readonly Layer4Handler[], last: Layer4Next): Layer4Next {
  let next = last;
  for (const handler of handlers.toReversed()) next = step(handler, next);
  return next;
}

function step(handler: Layer4Handler, next: Layer4Next): Layer4Next {
  return (connection) => {
    try {
      const waits = handler.handle(connection, next);
      if (waits !== undefined) void waits.catch((error: unknown) => connection.fail(error));
    } catch (error) {
      connection.fail(error);
    }
  };
}

function passed(connection: Layer4Connection): void {
  connection.steps.current?.passed();
}
