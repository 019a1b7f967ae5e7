/** A reverse proxy that asks whether a request may go on as `forward_auth`. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { listAt, objectAt, valueAt, words, type WriteDirective } from '@sluice/caddyfile';
import { proxyLines } from './inverse.ts';

/** What the directive adds by itself. */
const added = { 'X-Forwarded-Method': ['{http.request.method}'], 'X-Forwarded-Uri': ['{http.request.uri}'] };

/** `forward_auth UPSTREAM… { uri TARGET; copy_headers FIELD[>NEW]…; … }` */
export const forwardAuth: WriteDirective = async (handler, writer) => {
  const [accepted, ...responses] = listAt(handler, ['handle_response']);
  const copied = copiedFields(accepted);
  const uri = valueAt(handler, ['rewrite', 'uri']);
  if (copied === null || typeof uri !== 'string') return null;
  const { words: upstreams, block } = await proxyLines(withoutAdded(handler, responses), writer);
  const copy = copied.length === 0 ? [] : [{ words: ['copy_headers', ...copied] }];
  return { words: upstreams, block: [{ words: ['uri', uri] }, ...copy, ...block] };
};

function withoutAdded(handler: JsonObject, responses: readonly Json[]): JsonObject {
  const { headers, rewrite, handle_response: _responses, ...others } = handler;
  const { request, ...more } = objectAt(headers, []);
  const { set, ...operations } = objectAt(request, []);
  const { method } = objectAt(rewrite, []);
  const left = Object.entries(objectAt(set, [])).filter(
    ([name, value]) => !jsonEqual(value, (added as Readonly<Record<string, Json>>)[name] ?? null),
  );
  return {
    ...others,
    headers: { ...more, request: { ...operations, set: Object.fromEntries(left) } },
    rewrite: method === undefined || method === 'GET' ? {} : { method },
    handle_response: responses,
  };
}

/** The fields that are copied from a response of 2xx; `null` where a handler of responses does something else. */
function copiedFields(accepted: Json | undefined): readonly string[] | null {
  if (!jsonEqual(valueAt(accepted, ['match']) ?? null, { status_code: [2] })) return null;
  const [marker, ...routes] = listAt(accepted, ['routes']);
  // Handlers for all requests that follow each other share a route.
  const [first, ...joined] = listAt(marker, ['handle']);
  if (!jsonEqual(first ?? null, { handler: 'vars' })) return null;
  const handlers = [...joined, ...routes.flatMap((route) => listAt(route, ['handle']))];
  return handlers.flatMap((handler) => words(copiedField(handler)));
}

/** `FIELD` or `FIELD>NEW` of the handler that sets a field of the request to one of the response. */
function copiedField(handler: Json): Json {
  const set = valueAt(handler, ['request', 'set']);
  if (!isObject(set)) return [];
  return Object.entries(set).map(([to, values]) => {
    const value = isArray(values) ? words(values).join('') : '';
    const [, from = ''] = /^\{http\.reverse_proxy\.header\.(.*)\}$/.exec(value) ?? [];
    return from === to ? from : `${from}>${to}`;
  });
}
