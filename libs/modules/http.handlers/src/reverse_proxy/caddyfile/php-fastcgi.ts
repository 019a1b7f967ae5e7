/**
 * The directive `php_fastcgi [matcher] UPSTREAM… { root …; split …; env …; index …; try_files …; … }`, which creates standard routes for
 * PHP sites. Requests for directories with an index file are redirected to add a trailing slash. Other paths are rewritten to existing
 * files. PHP files are passed to the upstream.
 */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  asJson,
  blockLines,
  compact,
  Draft,
  duration,
  handler,
  list,
  listAt,
  moduleObject,
  objectAt,
  optionsOf,
  pair,
  readInto,
  responseMatchers,
  subrouteHandler,
  term,
  text,
  valueAt,
  words,
  written,
  type Block,
  type ConfigValue,
  type DirectiveReader,
  type Grammar,
  type Line,
  type MatcherSetConfig,
  type RouteConfig,
  type Term,
  type Writer,
  type WriteSequence,
  type WrittenSequence,
} from '@sluice/caddyfile';
import { proxyOptions, upstreams } from './options.ts';
import { ProxyDraft } from './proxy-draft.ts';
import { upstreamWords } from './written.ts';

class PhpDraft extends ProxyDraft {
  readonly php = new Draft();
}

/** Declares an option that the reverse proxy does not have. */
function php(of: Term, help?: string): Term {
  const read: Term['read'] = (reader, draft, option) => of.read(reader, (draft as PhpDraft).php, option);
  return { ...of, read, help };
}

const flag = term({
  shown: '',
  read(reader) {
    reader.remaining();
    return true;
  },
  words: (value) => (value === true ? [] : null),
});
const time = duration({ takes: 'more' });

/** Options of the FastCGI transport, in the order of the generated Caddyfile. */
const transportOptions: Block = {
  root: php(text('<path>', { takes: 'more' }), 'Root directory of the scripts, as seen by the FastCGI responder.'),
  split: php(list('<suffix>…', { field: 'split_path' }), 'Suffix at which the script name ends, such as `.php`.'),
  env: php(pair('<name> <value>'), 'FastCGI parameter (environment variable) for scripts.'),
  resolve_root_symlink: php(flag, 'Resolves symbolic links in the path of the root directory.'),
  capture_stderr: php(flag, 'Logs the standard error output of scripts.'),
  dial_timeout: php(time, 'Connect timeout.'),
  read_timeout: php(time, 'Read timeout.'),
  write_timeout: php(time, 'Write timeout.'),
};

const grammar: Grammar = {
  line: upstreams('<upstream>…'),
  block: {
    index: php(text('<name>|off', { keep: true }), 'Name of the index file. `off` disables it.'),
    try_files: php(list('<file>…'), 'Files to try, in order, instead of the default list.'),
    ...optionsOf('reverse_proxy', proxyOptions),
    ...transportOptions,
  },
  others: responseMatchers,
  help: 'Serves PHP over FastCGI. If a directory has an index file, redirects the client to add a trailing slash. Rewrites requests for missing files to the index file, and proxies PHP files. Also accepts the options of `reverse_proxy`.',
  example: 'root /srv/app\nphp_fastcgi unix//run/php/php-fpm.sock\nfile_server',
};

/** Parses the directive to routes. If there is a matcher, the routes are nested in a separate route. */
function readPhp(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  const draft = new PhpDraft();
  readInto(grammar, reader, draft);
  const { index = 'index.php', try_files: files, ...fields } = draft.php.fields;
  const split = words(fields['split_path'] ?? ['.php']);
  draft.transport = { name: 'fastcgi', options: { ...fields, split_path: split } };
  const proxy = moduleObject('handler', 'reverse_proxy', draft.json(reader));
  const route: RouteConfig = { match: [{ path: split.map((suffix) => `*${suffix}`) }], handle: [proxy] };
  const routes = [...rewrites(String(index), words(files), split), route];
  if (match !== undefined) return reader.route(match, subrouteHandler(routes));
  return [{ pile: 'route', value: { routes } }];
}

function rewrites(index: string, tryFiles: readonly string[], split: readonly string[]): RouteConfig[] {
  if (index === 'off') return [];
  const inFolder = `{http.request.uri.path}/${index}`;
  const defaults = tryFiles.length === 0;
  const files = defaults ? ['{http.request.uri.path}', inFolder, index] : tryFiles;
  const last = files.at(-1) ?? '';
  const fallback = defaults || (files.length > 0 && last.endsWith('.php'));
  const file = compact({
    try_files: asJson(files),
    try_policy: fallback ? 'first_exist_fallback' : '',
    split_path: asJson(split),
  });
  const rewrite: RouteConfig = {
    match: [{ file }],
    handle: [moduleObject('handler', 'rewrite', { uri: '{http.matchers.file.relative}' })],
  };
  return files.includes(inFolder) ? [folderRedirect(inFolder), rewrite] : [rewrite];
}

/** Returns a redirect for a directory with an index file. The redirect adds a trailing slash to the path. */
function folderRedirect(inFolder: string): RouteConfig {
  const match: MatcherSetConfig = { file: { try_files: [inFolder] }, not: [{ path: ['*/'] }] };
  const to = './{http.request.orig_uri.path.file_escaped}/{http.request.orig_uri.prefixed_query}';
  const redirect: Json = moduleObject('handler', 'static_response', { headers: { Location: [to] }, status_code: 308 });
  return { match: [match], handle: [redirect] };
}

/** Writes `php_fastcgi UPSTREAM… { … }` for the two or three routes that the directive creates. */
export const phpRoutes: WriteSequence = (routes, writer) => {
  const at = routes.slice(0, 3).findIndex((route) => transportOf(route)['protocol'] === 'fastcgi');
  const route = routes[at];
  return route === undefined ? null : writePhp(routes.slice(0, at), route, writer);
};

async function writePhp(before: readonly Json[], route: Json, writer: Writer): Promise<WrittenSequence | null> {
  const [found, ...more] = listAt(route, ['handle']);
  if (!isObject(found) || more.length > 0) return null;
  const { transport: _transport, ...proxy } = found;
  const { split_path: split, ...transport } = transportOf(route);
  const own = words(split).join() === '.php' ? transport : { ...transport, split_path: split ?? [] };
  const transportLines = (await blockLines({ block: transportOptions }, own, writer)) ?? [];
  const proxyLines = (await blockLines({ block: proxyOptions }, proxy, writer)) ?? [];
  const lines = [...indexLines(before), ...transportLines, ...proxyLines];
  return { ...written(upstreamWords(proxy), lines), taken: before.length + 1 };
}

function transportOf(route: Json | undefined): JsonObject {
  return objectAt(listAt(route, ['handle'])[0], ['transport']);
}

/** Returns lines for `index` and `try_files` if the preceding routes differ from the default. */
function indexLines(before: readonly Json[]): Line[] {
  const rewrite = before.at(-1);
  if (rewrite === undefined) return [{ words: ['index', 'off'] }];
  const files = words(valueAt(listAt(rewrite, ['match'])[0], ['file', 'try_files']));
  const own = '{http.request.uri.path}';
  const folder = files.find((file) => file.startsWith(`${own}/`)) ?? '';
  const index = folder === '' ? 'index.php' : folder.slice(own.length + 1);
  const isUsual = files.join('\n') === [own, folder, index].join('\n');
  return [
    ...(index === 'index.php' ? [] : [{ words: ['index', index] }]),
    ...(isUsual ? [] : [{ words: ['try_files', ...files] }]),
  ];
}

export const phpFastcgi = handler('subroute', grammar, {
  directive: readPhp,
  /** If there is a matcher, the routes are nested in a separate route. */
  async write(found, writer) {
    const routes = listAt(found, ['routes']);
    const line = await phpRoutes(routes, writer);
    return line === null || line.taken !== routes.length ? null : written(line.words ?? [], line.block ?? []);
  },
});
