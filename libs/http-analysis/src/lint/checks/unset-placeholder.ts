/** Lint check SL020. */
import { defineLint, finder, onceForNode, textFinder, type PlacedText } from '@sluice/registry';
import { own } from '@sluice/base';
import { everyRoute } from '../every-route.ts';
import { says, serverExample } from '../example.ts';
import type { HandlerModel, RouteModel, ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const unsetPlaceholder = defineLint({
  code: 'SL020',
  name: 'unset-placeholder',
  severity: 'warning',
  summary: 'A placeholder is always empty, because nothing sets it.',
  details: `Some placeholders are set by a module during a request: \`{http.auth.user.id}\` by authentication, \`{http.regexp.name.1}\` by the matcher with that name, \`{http.error.status_code}\` while an error is handled. Everywhere else they are empty.`,
  bad: serverExample([{ handle: [says('sorry: {http.error.status_code}')] }]),
  good: serverExample([{ handle: [{ handler: 'error', status_code: 503 }] }], {
    errors: { routes: [{ handle: [says('sorry: {http.error.status_code}')] }] },
  }),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      let known: Setters | null = null;
      const set = (): Setters => (known ??= setIn(server));
      for (const route of everyRoute(server)) {
        for (const handler of route.handlers) {
          if (!hasPlaceholders(handler.node)) continue;
          for (const { text, path: at } of ownPlaceholders(handler)) {
            for (const [, name = ''] of text.matchAll(/\{(http\.[\w.-]+)\}/g)) {
              const missing = missingFor(name, set, () => isPrimary(server, route));
              if (missing !== null) report([...handler.path, ...at], `{${name}} is always empty here: ${missing}`);
            }
          }
        }
      }
    }
  },
});

/** Yields the strings of a handler. Omits strings in nested routes, which are visited separately. */
function* ownPlaceholders({ node, lists }: HandlerModel): Generator<PlacedText> {
  if (lists.length === 0) yield* placeholdersIn(node, []);
  else
    for (const [key, value] of Object.entries(node))
      if (!nested.has(key) && hasPlaceholders(value)) yield* placeholdersIn(value, [key]);
}

const nested: ReadonlySet<string> = new Set(['routes', 'errors', 'handle_response']);

/** Parts of a server that may set placeholders. */
interface Setters {
  readonly handlers: ReadonlySet<string>;
  readonly regexps: ReadonlySet<string>;
  readonly hasFileMatcher: boolean;
  /** True if the server contains unknown modules, which may set any placeholder. */
  readonly hasUnknown: boolean;
}

const isPlaceholder = (text: string): boolean => text.includes('{http.');
const placeholdersIn = textFinder(isPlaceholder);
const hasPlaceholders = finder((node) => typeof node === 'string' && isPlaceholder(node));

/** Returns the placeholders that matchers or a handler may set. */
const marksIn = onceForNode((node: object): Pick<Setters, 'regexps' | 'hasFileMatcher' | 'hasUnknown'> => {
  const text = JSON.stringify(node);
  return {
    hasFileMatcher: /"file":|\bfile\(/.test(text),
    regexps: new Set([...text.matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name)),
    hasUnknown: /_regexp\(|"expression"/.test(text),
  };
});

function setIn(server: ServerModel): Setters {
  const handlers = new Set<string>();
  const regexps = new Set<string>();
  let hasFileMatcher = false;
  let hasUnknown = false;
  const add = (marks: ReturnType<typeof marksIn>): void => {
    if (marks.hasFileMatcher) hasFileMatcher = true;
    if (marks.hasUnknown) hasUnknown = true;
    for (const name of marks.regexps) regexps.add(name);
  };
  for (const { node, handlers: all } of everyRoute(server)) {
    const match = own(node, 'match');
    if (typeof match === 'object' && match !== null) add(marksIn(match));
    for (const { name, flow, lists, node: options } of all) {
      handlers.add(name);
      if (flow.changes === null && name !== 'subroute' && name !== 'invoke' && name !== 'intercept') hasUnknown = true;
      if (lists.length === 0) add(marksIn(options));
    }
  }
  return { handlers, regexps, hasFileMatcher, hasUnknown };
}

/** Reports whether a route belongs to the primary routes. Returns false for named routes, because error routes may invoke them. */
function isPrimary({ routes }: ServerModel, { path }: RouteModel): boolean {
  return routes.path.every((segment, index) => path[index] === segment);
}

/** Returns a description of the problem and its solution. Returns `null` if there is no problem. */
function missingFor(name: string, setters: () => Setters, isInPrimary: () => boolean): string | null {
  if (!/^http\.(?:error|auth|matchers|reverse_proxy|regexp)\./.test(name)) return null;
  const set = setters();
  if (
    name.startsWith('http.error.') &&
    isInPrimary() &&
    !set.handlers.has('subroute') &&
    !set.handlers.has('intercept')
  )
    return 'it is set only while an error is handled; move it to error routes';
  if (set.hasUnknown) return null;
  if (name.startsWith('http.auth.user.') && !set.handlers.has('authentication') && !set.handlers.has('reverse_proxy'))
    return 'this server has no authentication handler';
  if (name.startsWith('http.matchers.file.') && !set.hasFileMatcher) return 'this server has no file matcher';
  if (name.startsWith('http.reverse_proxy.') && !set.handlers.has('reverse_proxy'))
    return 'this server has no reverse_proxy handler';
  const [, pattern] = /^http\.regexp\.([A-Za-z_]\w*)\.\w+$/.exec(name) ?? [];
  return pattern === undefined || set.regexps.has(pattern)
    ? null
    : `this server has no regular expression named ${JSON.stringify(pattern)}`;
}
