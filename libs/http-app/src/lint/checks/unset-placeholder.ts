/** SL020. */
import { defineLint, textsIn } from '@sluice/registry';
import { own } from '@sluice/base';
import { everyRoute } from '../every-route.ts';
import { says, serverExample } from '../example.ts';
import { serversOf, type RouteModel, type ServerModel } from '../model.ts';

export const unsetPlaceholder = defineLint({
  code: 'SL020',
  name: 'unset-placeholder',
  severity: 'warning',
  summary: 'A placeholder is used where nothing has set it.',
  details: `Some placeholders are set by a module while a request runs: \`{http.auth.user.id}\` by authentication, \`{http.regexp.name.1}\` by the matcher of
that name, \`{http.error.status_code}\` while an error is handled. Where that has not happened they are empty.`,
  bad: serverExample([{ handle: [says('sorry: {http.error.status_code}')] }]),
  good: serverExample([{ handle: [{ handler: 'error', status_code: 503 }] }], {
    errors: { routes: [{ handle: [says('sorry: {http.error.status_code}')] }] },
  }),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      const set = setIn(server);
      for (const route of everyRoute(server)) {
        for (const { node, path, lists } of route.handlers) {
          // Routes within are visited by themselves.
          const own =
            lists.length === 0 ? node : Object.fromEntries(Object.entries(node).filter(([key]) => !nested.has(key)));
          for (const { text, path: at } of textsIn(own, path)) {
            for (const [, name = ''] of text.matchAll(/\{(http\.[\w.-]+)\}/g)) {
              const missing = missingFor(name, set, isPrimary(server, route));
              if (missing !== null) report(at, `{${name}} is empty here: ${missing}`);
            }
          }
        }
      }
    }
  },
});

const nested: ReadonlySet<string> = new Set(['routes', 'errors', 'handle_response']);

/** What sets placeholders in a server. */
interface Setters {
  readonly handlers: ReadonlySet<string>;
  readonly regexps: ReadonlySet<string>;
  readonly hasFileMatcher: boolean;
  /** Whether modules of others may set any. */
  readonly hasUnknown: boolean;
}

function setIn(server: ServerModel): Setters {
  const handlers = new Set<string>();
  const regexps = new Set<string>();
  let hasFileMatcher = false;
  let hasUnknown = false;
  for (const { node, handlers: all } of everyRoute(server)) {
    for (const { name, flow } of all) {
      handlers.add(name);
      if (flow.changes === null && name !== 'subroute' && name !== 'invoke' && name !== 'intercept') hasUnknown = true;
    }
    const text = JSON.stringify([
      own(node, 'match') ?? null,
      all.map((each) => (each.lists.length === 0 ? each.node : null)),
    ]);
    if (/"file":|\bfile\(/.test(text)) hasFileMatcher = true;
    for (const [, name = ''] of text.matchAll(/"name":"([^"]+)"/g)) regexps.add(name);
    if (/_regexp\(|"expression"/.test(text)) hasUnknown = true;
  }
  return { handlers, regexps, hasFileMatcher, hasUnknown };
}

/** Named routes may be invoked by error routes. */
function isPrimary({ routes }: ServerModel, { path }: RouteModel): boolean {
  return routes.path.every((segment, index) => path[index] === segment);
}

/** What is missing, and what to do; `null` if nothing is. */
function missingFor(name: string, set: Setters, isInPrimary: boolean): string | null {
  if (name.startsWith('http.error.') && isInPrimary && !set.handlers.has('subroute') && !set.handlers.has('intercept'))
    return 'it is set while an error is handled; use it in error routes';
  if (set.hasUnknown) return null;
  if (name.startsWith('http.auth.user.') && !set.handlers.has('authentication') && !set.handlers.has('reverse_proxy'))
    return 'this server has no authentication that sets it';
  if (name.startsWith('http.matchers.file.') && !set.hasFileMatcher)
    return 'this server has no matcher file that sets it';
  if (name.startsWith('http.reverse_proxy.') && !set.handlers.has('reverse_proxy'))
    return 'this server has no reverse_proxy that sets it';
  const [, pattern] = /^http\.regexp\.([A-Za-z_]\w*)\.\w+$/.exec(name) ?? [];
  return pattern === undefined || set.regexps.has(pattern)
    ? null
    : `no regular expression of this server has the name ${JSON.stringify(pattern)}`;
}
