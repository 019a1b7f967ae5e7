/** Builders of the plain JSON that the adapter makes. */
import type { Json, JsonObject } from '@sluice/base';

/** A handler, a matcher set or a route of the configuration. */
export type Node = JsonObject;

/** An object without the keys whose values are `undefined`. */
export function node(fields: Readonly<Record<string, Json | undefined>>): Node {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** A route that goes on to the next one when its handlers do. `match` are sets, of which one must match. */
export function passing(handle: readonly Node[], match: readonly Node[] = []): Node {
  return match.length === 0 ? { handle } : { match, handle };
}

/** A route after which no other one runs. */
export function terminal(handle: readonly Node[], match: readonly Node[] = []): Node {
  return { ...passing(handle, match), terminal: true };
}

/** The handler that runs routes. */
export function subroute(routes: readonly Node[]): Node {
  return { handler: 'subroute', routes };
}

/** The handler that runs a named route. */
export function invoke(name: string): Node {
  return { handler: 'invoke', name };
}

/** The handler that raises an error of a status. */
export function raise(status: number | string): Node {
  return { handler: 'error', status_code: status };
}

/** The handler that responds to an error without a page. */
export const plainError: Node = { handler: 'static_response', status_code: '{http.error.status_code}' };

/** The handler that sets variables of the request. */
export function setVariables(variables: Readonly<Record<string, Json>>): Node {
  return { handler: 'vars', ...variables };
}

/** The handler that rewrites the target; a `uri` without `?` keeps the query. */
export function rewriteTo(uri: string): Node {
  return { handler: 'rewrite', uri };
}
