/** Where the files of a location are: `root` with the whole path, or `alias` with what stands after the prefix. */
import { raise, rewriteTo, terminal, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { expandText, rootFolder, variablesOf } from '../text/expand.ts';
import { literal } from '../text/regular-expression.ts';
import { guard } from '../script/rewrite.ts';

/** How to find and serve the files of a location. */
export interface Files {
  readonly root: string;
  /** The path under the root, as a text of a `file` matcher. */
  readonly path: string;
  /** Matches requests for the root itself, which the matcher `file` never finds; `null` if none can be for it. */
  readonly top: Node | null;
  /** Matches requests for a directory that `autoindex` does not find; `null` if it finds all. */
  readonly unlisted: Node | null;
  /** Matchers that must run before `path` is read. */
  readonly captured: readonly Node[];
  /** Routes and handlers that make the path of the request that under the root. */
  readonly guards: readonly Node[];
  readonly enter: readonly Node[];
}

/** Where the files of a location are. */
export function filesOf(site: Site, scope: Scope): Files {
  const current = '{http.request.uri.path}';
  if (scope.alias === null) {
    const root = rootFolder(site, scope);
    return {
      root,
      path: current,
      top: { path_regexp: { pattern: '^/$' }, ...folderAt(root) },
      unlisted: null,
      captured: [],
      guards: [],
      enter: [],
    };
  }
  const { directive: alias, path } = scope.alias;
  const text = site.adaptation.path(alias.args[0] ?? '');
  if (path.kind === 'regex') return wholeAlias(site, scope, text, alias);
  const name = site.unique('alias');
  const root = expandText(text, { site, scope, at: alias });
  if (path.kind === 'exact') {
    // One path, one file.
    const [folder, file] = splitFile(root);
    return {
      root: folder,
      path: file,
      top: file === '/' ? folderAt(folder) : null,
      unlisted: null,
      captured: [],
      guards: [],
      enter: [rewriteTo(file)],
    };
  }
  const prefix = path.text.replace(/\/$/, '');
  // `location /a/ { alias /b; }`: what follows the prefix is put right behind the alias.
  if (path.text.endsWith('/') && !root.endsWith('/')) return glued(name, prefix, root);
  // A path such as `/ab` would be a file beside the alias.
  const beside =
    path.text.endsWith('/') || root.endsWith('/')
      ? []
      : [terminal([raise(404)], [{ path_regexp: { pattern: `^${literal(prefix)}[^/]` } }])];
  const folder = root.replace(/(?<=.)\/+$/, '');
  return {
    root: folder,
    path: `/{http.regexp.${name}.1}`,
    top: { path_regexp: { pattern: `^${literal(prefix)}/?$` }, ...folderAt(folder) },
    unlisted: null,
    captured: [{ path_regexp: { name, pattern: `^${literal(prefix)}/?(.*)$` } }],
    guards: beside,
    enter: prefix === '' ? [] : [{ handler: 'rewrite', strip_path_prefix: prefix }],
  };
}

function glued(name: string, prefix: string, alias: string): Files {
  const [folder, file] = splitFile(alias);
  return {
    root: folder,
    path: `${file}{http.regexp.${name}.1}`,
    top: null,
    unlisted: { path_regexp: { pattern: `^${literal(prefix)}/$` } },
    captured: [{ path_regexp: { name, pattern: `^${literal(prefix)}/(.*)$` } }],
    guards: [],
    enter: [
      ...(prefix === '' ? [] : [{ handler: 'rewrite', strip_path_prefix: prefix }]),
      { handler: 'rewrite', path_regexp: [{ find: '^/', replace: file.replaceAll('$', '$$$$') }] },
    ],
  };
}

/** In a location with an expression the alias is the whole name of the file, made of captures. */
function wholeAlias(site: Site, scope: Scope, text: string, alias: Parameters<typeof expandText>[1]['at']): Files {
  const [fixed] = /^[^$]*\//.exec(text) ?? ['/'];
  const rest = text.slice(fixed.length);
  const path = `/${expandText(rest, { site, scope, at: alias })}`;
  const captures = scope.captures;
  const guards = captures === null || variablesOf(rest).length === 0 ? [] : guard(rest, captures);
  const root = fixed.replace(/(?<=.)\/$/, '');
  const only = path.slice(1);
  const top = /^\{[^{}]+\}$/.test(only) ? { vars: { [only]: ['', '/'] }, ...folderAt(root) } : null;
  return { root, path, top, unlisted: null, captured: [], guards, enter: [rewriteTo(path)] };
}

/** Options of a matcher set that ask for a folder at a place in the whole file system, of which `/` is always there. */
function folderAt(path: string): Node {
  return path === '/' ? {} : { file: { root: '/', try_files: [`${path}/`] } };
}

function splitFile(path: string): [folder: string, file: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at) || '/', path.slice(at)];
}
