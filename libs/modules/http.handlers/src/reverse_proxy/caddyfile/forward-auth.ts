/**
 * The directive `forward_auth [matcher] UPSTREAM… { uri TARGET; copy_headers FIELD[>NEW]…; … }`. It sends a request to an authorization
 * server. A 2xx response allows the original request. Any other response is sent to the client.
 */
import {
  asJson,
  blockLines,
  handler,
  listAt,
  moduleObject,
  objectAt,
  optionsOf,
  readInto,
  responseMatchers,
  valueAt,
  words,
  type Dispenser,
  type Grammar,
  type RouteConfig,
} from '@sluice/caddyfile';
import { canonicalHeaderName, isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { proxyOptions, upstreams } from './options.ts';
import { ProxyDraft } from './proxy-draft.ts';
import { upstreamWords } from './written.ts';

class GateDraft extends ProxyDraft {
  uri = '';
  readonly copied = new Map<string, string>();
}

const grammar: Grammar = {
  line: upstreams('[<upstream>…]'),
  block: {
    uri: {
      shown: '<uri>',
      help: 'URI of the authorization request.',
      read(reader, draft) {
        const gate = draft as GateDraft;
        const value = reader.onlyArgument();
        if (gate.uri !== '') throw reader.error(`cannot re-declare uri: ${value}`);
        gate.uri = value;
      },
      write: () => [],
    },
    copy_headers: {
      shown: '<field>[><name>]…',
      help: 'Header fields to copy from the authorization response to the request, optionally under a different name.',
      read: (reader, draft) => readCopied(reader, (draft as GateDraft).copied),
      write: () => [],
    },
    ...optionsOf('reverse_proxy', proxyOptions),
  },
  others: responseMatchers,
  help: 'Delegates authorization to another server. A 2xx response allows the request; any other response is sent to the client. Also accepts the options of `reverse_proxy`.',
  example:
    'forward_auth localhost:9091 {\n\turi /api/verify\n\tcopy_headers Remote-User Remote-Groups\n}\nreverse_proxy localhost:9000',
};

export const forwardAuth = handler('reverse_proxy', grammar, {
  read(reader) {
    const draft = new GateDraft();
    readInto(grammar, reader, draft);
    if (draft.uri === '') throw reader.error("the 'uri' subdirective is required");
    if (draft.get(['rewrite', 'method']) === undefined) draft.put(['rewrite', 'method'], 'GET');
    draft.put(['rewrite', 'uri'], draft.uri);
    draft.up.apply('X-Forwarded-Method', '{http.request.method}', undefined, reader);
    draft.up.apply('X-Forwarded-Uri', '{http.request.uri}', undefined, reader);
    const json = draft.json(reader);
    const accepted = { match: { status_code: [2] }, routes: asJson(acceptedRoutes(draft.copied)) };
    return { ...json, handle_response: [accepted, ...listAt(json, ['handle_response'])] };
  },
  async write(found, writer) {
    const [accepted, ...responses] = listAt(found, ['handle_response']);
    const copied = copiedFields(accepted);
    const uri = valueAt(found, ['rewrite', 'uri']);
    if (copied === null || typeof uri !== 'string') return null;
    const rest = withoutAdded(found, responses);
    const copy = copied.length === 0 ? [] : [{ words: ['copy_headers', ...copied] }];
    const block = (await blockLines({ block: proxyOptions }, rest, writer)) ?? [];
    return { words: upstreamWords(rest), block: [{ words: ['uri', uri] }, ...copy, ...block] };
  },
});

function readCopied(reader: Dispenser, copied: Map<string, string>): void {
  const add = (word: string): void => {
    const arrow = word.indexOf('>');
    const from = arrow < 0 ? word : word.slice(0, arrow);
    copied.set(from, arrow < 0 ? word : word.slice(arrow + 1));
  };
  const words = reader.remaining();
  const hasBlock = reader.opensBlock;
  const lines = [...reader.block()];
  if (words.length === 0 && lines.length === 0) throw reader.argumentError();
  if (hasBlock && lines.length === 0) {
    reader.back();
    throw reader.error('unrecognized subdirective copy_headers');
  }
  for (const word of [...words, ...lines]) add(word);
}

/**
 * Returns the routes for a response that allows the request. The routes copy headers from the response to the request. If the response does
 * not contain one of these headers, they remove it from the request.
 */
function acceptedRoutes(copied: ReadonlyMap<string, string>): RouteConfig[] {
  const fields = [...copied].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    { handle: [moduleObject('handler', 'vars', {})] },
    ...fields.flatMap(([from, to]): RouteConfig[] => {
      const value = `{http.reverse_proxy.header.${canonicalHeaderName(from)}}`;
      const set = { request: { set: { [canonicalHeaderName(to)]: [value] } } };
      return [
        { handle: [moduleObject('handler', 'headers', { request: { delete: [canonicalHeaderName(to)] } })] },
        { match: [{ not: [{ vars: { [value]: [''] } }] }], handle: [moduleObject('handler', 'headers', set)] },
      ];
    }),
  ];
}

/** Request headers that the directive always adds. */
const added = { 'X-Forwarded-Method': ['{http.request.method}'], 'X-Forwarded-Uri': ['{http.request.uri}'] };

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

/** Returns the headers that are copied from a 2xx response. Returns `null` if the response handlers do anything else. */
function copiedFields(accepted: Json | undefined): readonly string[] | null {
  if (!jsonEqual(valueAt(accepted, ['match']) ?? null, { status_code: [2] })) return null;
  const [marker, ...routes] = listAt(accepted, ['routes']);
  // Consecutive handlers that apply to all requests have been merged into one route.
  const [first, ...joined] = listAt(marker, ['handle']);
  if (!jsonEqual(first ?? null, { handler: 'vars' })) return null;
  const handlers = [...joined, ...routes.flatMap((route) => listAt(route, ['handle']))];
  return handlers.flatMap((handler) => words(copiedField(handler)));
}

/** Returns `FIELD` or `FIELD>NEW` for a handler that copies a response header to a request header. */
function copiedField(handler: Json): Json {
  const set = valueAt(handler, ['request', 'set']);
  if (!isObject(set)) return [];
  return Object.entries(set).map(([to, values]) => {
    const value = isArray(values) ? words(values).join('') : '';
    const [, from = ''] = /^\{http\.reverse_proxy\.header\.(.*)\}$/.exec(value) ?? [];
    return from === to ? from : `${from}>${to}`;
  });
}
