/** Functions that build the JSON output of the nginx adapter. */
import type { Json, JsonObject } from '@sluice/base';

export type Node = JsonObject;

/** Returns a copy of an object without the keys whose value is `undefined`. */
export function node(fields: Readonly<Record<string, Json | undefined>>): Node {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Returns a non-terminal route. `match` is a list of alternative matcher sets. */
export function passing(handle: readonly Node[], match: readonly Node[] = []): Node {
  return match.length === 0 ? { handle } : { match, handle };
}

/** Returns a terminal route. `match` is a list of alternative matcher sets. */
export function terminal(handle: readonly Node[], match: readonly Node[] = []): Node {
  return { ...passing(handle, match), terminal: true };
}

export function subroute(routes: readonly Node[]): Node {
  return { handler: 'subroute', routes };
}

export function invoke(name: string): Node {
  return { handler: 'invoke', name };
}

export function raise(status: number | string): Node {
  return { handler: 'error', status_code: status };
}

/** Handler that responds to an error with the error status and no page. */
export const plainError: Node = { handler: 'static_response', status_code: '{http.error.status_code}' };

export function setVariables(variables: Readonly<Record<string, Json>>): Node {
  return { handler: 'vars', ...variables };
}

/** Returns a handler that rewrites the request target. If `uri` contains no `?`, the query is kept. */
export function rewriteTo(uri: string): Node {
  return { handler: 'rewrite', uri };
}
