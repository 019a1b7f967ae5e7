/** A rewrite to the first file that is there as `try_files`. */
import { isObject, type Json } from '@sluice/base';
import {
  listAt,
  objectAt,
  words,
  written,
  type Line,
  type WriteDirective,
  type WriteSequence,
} from '@sluice/caddyfile';

/** `try_files FILE… { policy NAME }` */
export const tryFiles: WriteDirective = (handler, _writer, match) => {
  const file = match?.['file'];
  const uri = words(handler['uri']).join('');
  if (!uri.startsWith(found) || !isObject(file)) return null;
  const files = words(file['try_files']);
  return { ...written(withQuery(files, uri), policyLines(file['try_policy'])), matched: true };
};

/** `try_files FILE… { policy NAME }` whose files bring queries: each of them has a route of the same group. */
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

const found = '{http.matchers.file.relative}';

/** The query that a rewrite adds belongs to its last file. */
function withQuery(files: readonly string[], uri: string): readonly string[] {
  return files.map((file, at) => (at < files.length - 1 ? file : `${file}${uri.slice(found.length)}`));
}

function policyLines(policy: Json | undefined): readonly Line[] {
  return policy === undefined ? [] : [{ words: ['policy', ...words(policy)] }];
}
