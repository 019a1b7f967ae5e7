/** Finds placeholders that are misspelt: what is not known stays as it is written, or becomes empty, and nothing says so. */
import { closest, isArray, isObject, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { onceForNode } from '@sluice/registry';
import { fixedAccessors } from '../placeholders/fixed.ts';
import { placeholderPrefixes, resolveKnown } from '../placeholders/resolve.ts';

/** Everything below these is the server's own: no module sets a name there. */
const ownTrees = /^(?:http\.(?:request|response|error|vars|regexp|intercept|reverse_proxy)(?:\.|$)|system\.|time\.)/;

/** Names of the reference's own configuration language, which means other placeholders by them. */
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

/** Names of the server that modules set while a request runs. */
const setByModules: ReadonlySet<string> = new Set([
  'http.auth.user.id',
  ...['relative', 'absolute', 'type', 'remainder'].map((name) => `http.matchers.file.${name}`),
]);

/** What has the form of a placeholder: a name of at least two letters, in braces that are not escaped. */
const written = /(?<!\\)\{([a-zA-Z][\w.\-/,:]+)\}/g;

/** Finds the misspelt ones in the options of a handler or a matcher. */
export function misspeltIn(
  { id, node, document }: { readonly id: string; readonly node: Json; readonly document: Json },
  warn: (message: string, at: readonly (string | number)[]) => void,
): void {
  // Regular expressions have braces of their own.
  if (/regexp?$/.test(id)) return;
  let destinations: ReadonlySet<string> | null = null;
  for (const [text, at] of typeof node === 'object' && node !== null ? placeholdersIn(node) : textsIn(node, [])) {
    for (const [, name = ''] of text.matchAll(written)) {
      const advice = adviceFor(name);
      if (advice === null) continue;
      destinations ??= destinationsIn(document);
      if (!destinations.has(name)) warn(`there is no placeholder {${name}}${advice}`, at);
    }
  }
}

/** What to do about a name, as the end of a sentence; `null` where it may be right. */
function adviceFor(name: string): string | null {
  if (resolveKnown(name) !== null || setByModules.has(name) || name.startsWith('http.auth.user.')) return null;
  const meant = shorthands.get(name) ?? closest(name, candidatesFor(name), 3);
  if (meant !== null) return `; did you mean {${meant}}?`;
  return ownTrees.test(name) ? ': see the list of placeholders' : null;
}

/** Names that could have been meant: those that are fixed, and those with a key, with the key of this one. */
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

/** Those that may have placeholders; most options have none. */
const placeholdersIn = onceForNode((node: JsonObject | JsonArray) =>
  [...textsIn(node, [])].filter(([text]) => text.includes('{')),
);

/** All texts of a value, and where they stand in it. Keys of objects, such as names of fields, may have placeholders too. */
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

/** Names that handlers `map` of the configuration make. */
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
