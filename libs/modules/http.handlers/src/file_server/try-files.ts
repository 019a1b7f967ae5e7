/** The directive `try_files FILE… { policy NAME }`, which rewrites the request to the first file that exists. */
import { isObject, type Json } from '@sluice/base';
import {
  compact,
  type ConfigValue,
  type DirectiveReader,
  handler,
  type Line,
  listAt,
  type MatcherSetConfig,
  moduleObject,
  note,
  objectAt,
  type RouteConfig,
  words,
  type WriteDirective,
  type WriteSequence,
  written,
} from '@sluice/caddyfile';

const policies = ['first_exist', 'first_exist_fallback', 'smallest_size', 'largest_size', 'most_recently_modified'];

const found = '{http.matchers.file.relative}';

/** Parses the directive. A file with a query needs a separate route, because file names can't contain queries. */
function readTryFiles(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.arguments();
  let policy = '';
  for (const option of reader.block()) {
    if (option !== 'policy') continue;
    if (policy !== '') throw reader.error('try_policy already configured');
    policy = reader.argument();
    if (!policies.includes(policy)) throw reader.error(`unrecognized try policy: ${policy}`);
  }
  const routes: RouteConfig[] = [];
  let files: string[] = [];
  const flush = (query: string): void => {
    if (files.length > 0) routes.push(routeTo(files, query, policy));
    files = [];
  };
  for (const word of words) {
    const mark = word.indexOf('?');
    if (mark < 0) {
      files.push(word);
      continue;
    }
    flush('');
    files.push(word.slice(0, mark));
    flush(word.slice(mark));
  }
  flush('');
  if (routes.length === 1) return [{ pile: 'route', value: routes[0] }];
  const group = reader.scope.assembly.groups.next();
  return routes.map((route) => ({ pile: 'route', value: { group, ...route } }));
}

function routeTo(files: readonly string[], query: string, policy: string): RouteConfig {
  const match: MatcherSetConfig = { file: compact({ try_files: files, try_policy: policy }) };
  return { match: [match], handle: [moduleObject('handler', 'rewrite', { uri: `${found}${query}` })] };
}

/** Writes the directive `try_files FILE… { policy NAME }`. */
const writeTryFiles: WriteDirective = (handler, _writer, match) => {
  const file = match?.['file'];
  const uri = words(handler['uri']).join('');
  if (!uri.startsWith(found) || !isObject(file)) return null;
  const files = words(file['try_files']);
  return { ...written(withQuery(files, uri), policyLines(file['try_policy'])), matched: true };
};

/** Writes `try_files FILE… { policy NAME }` for files with queries. Each such file has a separate route in the same group. */
export const tryFilesRoutes: WriteSequence = (routes) => {
  const [first] = routes;
  const group = isObject(first) ? first['group'] : undefined;
  if (typeof group !== 'string') return null;
  const files: string[] = [];
  let taken = 0;
  for (const route of routes) {
    const file = objectAt(listAt(route, ['match'])[0], ['file']);
    const uri = words(objectAt(listAt(route, ['handle'])[0], [])['uri']).join('');
    if (!isObject(route) || route['group'] !== group || !uri.startsWith(found)) break;
    files.push(...withQuery(words(file['try_files']), uri));
    taken++;
  }
  const policy = policyLines(objectAt(listAt(first, ['match'])[0], ['file'])['try_policy']);
  return taken < 2 ? null : { ...written(files, policy), matched: true, taken };
};

/** Appends the query of a rewrite to the last file in the list. */
function withQuery(files: readonly string[], uri: string): readonly string[] {
  return files.map((file, at) => (at < files.length - 1 ? file : `${file}${uri.slice(found.length)}`));
}

function policyLines(policy: Json | undefined): readonly Line[] {
  return policy === undefined ? [] : [{ words: ['policy', ...words(policy)] }];
}

export const tryFiles = handler(
  'rewrite',
  {
    shown: ['<file>…'],
    help: 'Rewrites the path to the first listed file that exists, or to the last entry if none exists. If the last entry is a status code such as `=404`, the request fails with that status code.',
    block: {
      policy: note(
        '<name>',
        'Policy for selecting a file: `first_exist`, `first_exist_fallback`, `smallest_size`, `largest_size` or `most_recently_modified`.',
      ),
    },
    example: 'root /srv/app\ntry_files {path} /index.html\nfile_server',
    matcher: false,
  },
  { directive: readTryFiles, write: writeTryFiles },
);
