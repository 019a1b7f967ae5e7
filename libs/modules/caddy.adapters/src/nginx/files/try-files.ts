/** Translates `try_files`, which serves the first file that exists. The last argument is a fallback path, named location or status. */
import { invoke, passing, raise, rewriteTo, subroute, terminal, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import { targetText } from '../script/rewrite.ts';
import type { Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import { expandText, variablesOf } from '../text/expand.ts';
import { filesOf } from './alias.ts';

/** Returns the routes for `try_files`, followed by the routes in `serve`. As in nginx, `try_files` does not apply within an `if`. */
export function tryFilesRoutes(site: Site, scope: Scope, serve: readonly Node[]): Node[] {
  const directive = scope.kind === 'if' ? undefined : scope.place.own('try_files').at(-1);
  if (directive === undefined) return [...serve];
  if (directive.args.length < 2)
    throw problemAt(directive, 'try_files requires a file and, as the last argument, a fallback');
  const files = filesOf(site, scope);
  const entries = directive.args.slice(0, -1);
  const then = entries.length === 1 ? subroute(serve) : shared(site, serve);
  const found = entries.map((entry) => {
    const special = { uri: files.path, document_uri: files.path, fastcgi_script_name: files.path };
    const text = expandText(entry, { site, scope, at: directive, special });
    const split = entry.includes('$fastcgi_script_name') && scope.find('fastcgi_split_path_info') !== undefined;
    const match: Node = {
      file: { root: files.root, try_files: [rooted(text)], ...(split ? { split_path: ['.php'] } : {}) },
    };
    const top = /^\$(?:document_)?uri\/$/.test(entry) && files.top !== null ? [files.top] : [];
    return terminal([...foundAs(site, scope, directive, entry), then], [match, ...top]);
  });
  return [...files.captured.map((match) => passing([], [match])), ...found, fallback(site, scope, directive)];
}

/** Creates a named route, so that several places can invoke the same routes. */
function shared(site: Site, serve: readonly Node[]): Node {
  const name = site.unique('serve');
  site.namedRoutes.set(name, passing([subroute(serve)]));
  return invoke(name);
}

function rooted(text: string): string {
  return /^[/{]/.test(text) ? text : `/${text}`;
}

/**
 * Returns a rewrite to the path of the file that was found. For a directory, the path has no trailing slash. `$uri` itself needs no
 * rewrite.
 */
function foundAs(site: Site, scope: Scope, at: Directive, entry: string): Node[] {
  if (/^\$(?:(?:document_)?uri\/?|fastcgi_script_name)$/.test(entry)) return [];
  const simple = variablesOf(entry).every((name) => name === 'uri' || name === 'document_uri');
  return [
    rewriteTo(simple ? targetText(site, scope, at, entry.replace(/(?<=.)\/$/, '')) : '{http.matchers.file.relative}'),
    ...site.recapture(),
  ];
}

function fallback(site: Site, scope: Scope, directive: Directive): Node {
  const last = directive.args.at(-1) ?? '';
  const status = /^=(\d{3})$/.exec(last)?.[1];
  if (status !== undefined) return terminal([raise(Number(status))]);
  if (last.startsWith('@')) return terminal(site.goto(last));
  const [path = '', query = ''] = last.split(/\?(.*)/s, 2);
  const target = targetText(site, scope, directive, path);
  return terminal([rewriteTo(`${target}?${expandText(query, { site, scope, at: directive })}`), ...site.redirect()]);
}
