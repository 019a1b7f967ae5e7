/** Finds misspelled placeholders. Without this check, an unknown placeholder would silently stay unchanged or become empty. */
import { closest, isArray, isObject, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { onceForNode } from '@sluice/registry';
import { fixedAccessors } from '../placeholders/fixed.ts';
import { placeholderPrefixes, resolveKnown } from '../placeholders/resolve.ts';

/** Matches the prefixes of built-in placeholders. Modules do not define names with these prefixes. */
const ownTrees = /^(?:http\.(?:request|response|error|vars|regexp|intercept|reverse_proxy)(?:\.|$)|system\.|time\.)/;

/** Caddyfile shorthands for other placeholders. */
const shorthands: ReadonlyMap<string, string> = new Map(
  Object.entries({
    host: 'http.request.host',
    hostport: 'http.request.hostport',
    port: 'http.request.port',
    method: 'http.request.method',
    path: 'http.request.uri.path',
    query: 'http.request.uri.query',
    uri: 'http.request.uri',
    scheme: 'http.request.scheme',
    remote: 'http.request.remote',
    remote_host: 'http.request.remote.host',
    remote_port: 'http.request.remote.port',
    client_ip: 'http.vars.client_ip',
    upstream_hostport: 'http.reverse_proxy.upstream.hostport',
  }),
);

/** Server placeholders that modules set while they handle a request. */
const setByModules: ReadonlySet<string> = new Set([
  'http.auth.user.id',
  ...['relative', 'absolute', 'type', 'remainder'].map((name) => `http.matchers.file.${name}`),
]);

/** Matches a placeholder: a name of at least two letters in unescaped braces. */
const written = /(?<!\\)\{([a-zA-Z][\w.\-/,:]+)\}/g;

/** Finds misspelled placeholders in the options of a handler or matcher. */
export function misspeltIn(
  { id, node, document }: { readonly id: string; readonly node: Json; readonly document: Json },
  warn: (message: string, at: readonly (string | number)[]) => void,
): void {
  // Skip regular expressions, because they use braces as part of their own syntax.
  if (/regexp?$/.test(id)) return;
  let destinations: ReadonlySet<string> | null = null;
  for (const [text, at] of typeof node === 'object' && node !== null ? placeholdersIn(node) : textsIn(node, [])) {
    for (const [, name = ''] of text.matchAll(written)) {
      const advice = adviceFor(name);
      if (advice === null) continue;
      destinations ??= destinationsIn(document);
      if (!destinations.has(name)) warn(`unknown placeholder {${name}}${advice}`, at);
    }
  }
}

/** Returns a suggestion to append to the message. Returns `null` if the name may be valid. */
function adviceFor(name: string): string | null {
  if (resolveKnown(name) !== null || setByModules.has(name) || name.startsWith('http.auth.user.')) return null;
  const meant = shorthands.get(name) ?? closest(name, candidatesFor(name), 3);
  if (meant !== null) return `; did you mean {${meant}}?`;
  return ownTrees.test(name) ? '; see the list of placeholders' : null;
}

/** Returns names that may be similar: fixed names, and known prefixes combined with the given key. */
function candidatesFor(name: string): string[] {
  const withKey = placeholderPrefixes
    .filter((prefix) => prefix.endsWith('.'))
    .map(
      (prefix) =>
        prefix +
        name
          .split('.')
          .slice(prefix.split('.').length - 1)
          .join('.'),
    )
    .filter((candidate) => !candidate.endsWith('.') && resolveKnown(candidate) !== null);
  return [...fixedAccessors.keys(), ...setByModules, ...withKey];
}

/** Finds the placeholders in the strings of a node. Most options contain none. */
const placeholdersIn = onceForNode((node: JsonObject | JsonArray) =>
  [...textsIn(node, [])].filter(([text]) => text.includes('{')),
);

/** Yields all strings in a value with their paths. Includes object keys. */
function* textsIn(node: Json, at: readonly (string | number)[]): Generator<[string, readonly (string | number)[]]> {
  if (typeof node === 'string') yield [node, at];
  else if (isArray(node)) for (const [index, item] of node.entries()) yield* textsIn(item, [...at, index]);
  else if (isObject(node)) {
    for (const [key, value] of Object.entries(node)) {
      if (/regexp?$|^pattern$|^search/.test(key)) continue;
      if (key.includes('{')) yield [key, [...at, key]];
      yield* textsIn(value, [...at, key]);
    }
  }
}

/** Collects the names that `map` handlers in the configuration define. */
function destinationsIn(node: Json, into = new Set<string>()): ReadonlySet<string> {
  if (isArray(node)) for (const item of node) destinationsIn(item, into);
  else if (isObject(node)) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'destinations' && isArray(value))
        for (const name of value) into.add(String(name).replace(/^\{|\}$/g, ''));
      else destinationsIn(value, into);
    }
  }
  return into;
}
