/** The directives `route`, `handle`, `handle_path` and `handle_errors`. */
import { isArray, isObject, type Json, jsonEqual, type JsonObject } from '@sluice/base';
import {
  compact,
  type ConfigValue,
  type DirectiveReader,
  handler,
  type Grammar,
  type HandlerSyntax,
  listAt,
  type MatcherSetConfig,
  moduleObject,
  objectAt,
  type RouteConfig,
  subrouteHandler,
  words,
  type WriteDirective,
  type WriteSite,
  type Written,
} from '@sluice/caddyfile';

/** Parses `handle_path PATH { … }`, which is like `handle` but strips the matched path. */
function readHandlePath(reader: DirectiveReader): readonly ConfigValue[] {
  if (!reader.nextArgument()) throw reader.argumentError();
  const path = reader.value;
  if (!path.startsWith('/')) throw reader.error(`path matcher must begin with '/', got ${path}`);
  const inner = reader.routes(true);
  const prefix = path.endsWith('/*') ? path.slice(0, -2) : path.replace(/\*$/, '');
  const rewrite = moduleObject('handler', 'rewrite', compact({ strip_path_prefix: prefix }));
  const match: MatcherSetConfig = { path: [path] };
  return reader.route([match], subrouteHandler([{ handle: [rewrite] }, ...inner]));
}

/** Parses `handle_errors [STATUS | CLASS]… { … }`. */
function readHandleErrors(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remaining();
  const expression = words.length === 0 ? null : statusExpression(words, reader);
  const inner = reader.routes(true);
  const handle = [subrouteHandler(inner)];
  const value: RouteConfig = expression === null ? { handle } : { match: [{ expression }], handle };
  return [{ pile: 'error_route', value: [value] }];
}

/** Builds an expression that matches statuses. Status classes come first. */
function statusExpression(words: readonly string[], reader: DirectiveReader): string {
  const codes: string[] = [];
  const classes: string[] = [];
  for (const word of words) {
    if (word.length !== 3) throw reader.error(`bad status value '${word}'`);
    if (/^\dxx$/.test(word)) {
      const first = word.charAt(0);
      classes.push(`{http.error.status_code} >= ${first}00 && {http.error.status_code} <= ${first}99`);
    } else if (/^\d{3}$/.test(word)) {
      codes.push(word);
    } else {
      throw reader.error(`bad status value '${word}'`);
    }
  }
  if (codes.length > 0) classes.push(`{http.error.status_code} in [${codes.join(', ')}]`);
  return classes.join(' || ');
}

/** Declares a block of directives. They are either sorted or kept in source order. */
function block(grammar: Grammar, sort: boolean): HandlerSyntax {
  return handler(
    'subroute',
    { ...grammar, content: 'directives' },
    {
      directive: (reader) => {
        const match = reader.matcher();
        return reader.route(match, subrouteHandler(reader.routes(sort)));
      },
      write: async ({ routes, errors }, writer) =>
        errors === undefined ? { block: await writer.routes(routes, sort) } : null,
    },
  );
}

/** Writes `handle_path PATH { … }` for a subroute whose first route strips the matched prefix. */
const writeHandlePath: WriteDirective = async (handler, writer, match) => {
  const path = pathOf(match);
  const routes = isArray(handler['routes']) ? handler['routes'] : [];
  const [first, ...others] = routes;
  const prefix = path.endsWith('/*') ? path.slice(0, -2) : path.replace(/\*$/, '');
  const strip = compact({ handler: 'rewrite', strip_path_prefix: prefix });
  if (path === '' || !isObject(first)) return null;
  const { handle: handlers, ...rest } = first;
  if (Object.keys(rest).length > 0 || !isArray(handlers) || !jsonEqual(handlers[0], strip)) return null;
  // Handlers that apply to all requests have been merged into this block.
  const joined: readonly Json[] = handlers.length === 1 ? others : [{ handle: handlers.slice(1) }, ...others];
  return { words: [path], block: await writer.routes(joined, true), matched: true };
};

function pathOf(match: JsonObject | null): string {
  const [path = '', ...more] = words(match?.['path']);
  return more.length === 0 && Object.keys(match ?? {}).length === 1 ? path : '';
}

/** Writes `handle_errors` for each error route of a site. Routes with other matchers are nested in one `handle_errors` for all errors. */
export const writeHandleErrors: WriteSite = async ({ errorRoutes }, _document, writer) => {
  const lines: Written[] = [];
  for (const route of errorRoutes) {
    const statuses = statusesOf(route);
    const [handler, ...more] = listAt(route, ['handle']);
    if (statuses === null || !isObject(handler) || handler['handler'] !== 'subroute' || more.length > 0) {
      return [{ block: await writer.routes(errorRoutes, true), routes: errorRoutes }];
    }
    const block = await writer.routes(handler['routes'] ?? [], true);
    lines.push({ words: statuses, block, routes: route });
  }
  return lines;
};

/**
 * Returns the statuses that a route's expression matches. Returns an empty list if it matches all statuses, and `null` for any other
 * expression.
 */
function statusesOf(route: Json): readonly string[] | null {
  const sets = listAt(route, ['match']);
  if (sets.length === 0) return [];
  const { expression } = objectAt(sets[0], []);
  if (sets.length > 1 || typeof expression !== 'string' || !jsonEqual(sets[0] ?? null, { expression })) return null;
  const statuses = expression.split(' || ').map((part) => {
    const list = /^\{http\.error\.status_code\} in \[([\d, ]+)\]$/.exec(part);
    if (list !== null) return list[1]?.split(', ') ?? [];
    const range = /^\{http\.error\.status_code\} >= (\d)00 && \{http\.error\.status_code\} <= (\d)99$/.exec(part);
    return range === null ? null : [`${range[1]}xx`];
  });
  return statuses.includes(null) ? null : statuses.flatMap((each) => each ?? []);
}

export const route = block(
  {
    help: 'Runs the directives in its block in the given order, instead of the default order.',
    example: 'route /api/* {\n\turi strip_prefix /api\n\trespond {path}\n}',
  },
  false,
);

export const handle = block(
  {
    help: 'Runs a block of directives. Adjacent `handle` blocks are mutually exclusive: only the first one that matches runs. Blocks with more specific paths are evaluated first, and blocks without a matcher last.',
    example: 'handle /api/* {\n\treverse_proxy localhost:9000\n}\nhandle {\n\trespond "not the API"\n}',
  },
  true,
);

export const handlePath = handler(
  'subroute',
  {
    shown: ['<path>'],
    help: 'Like `handle`, but strips the path prefix before the `*` from the request.',
    content: 'directives',
    example: 'handle_path /static/* {\n\troot /srv/static\n\tfile_server\n}',
    matcher: false,
  },
  { directive: readHandlePath, write: writeHandlePath },
);

export const handleErrors = handler(
  'subroute',
  {
    shown: ['[<status>…]'],
    help: 'Runs a block of directives if a request fails, optionally only for certain status codes or classes such as `5xx`. Placeholders such as `{err.status_code}` describe the error.',
    content: 'directives',
    example: 'error /private* 403\nhandle_errors 403 5xx {\n\trespond "{err.status_code} {err.status_text}"\n}',
    matcher: false,
  },
  { directive: readHandleErrors },
);
