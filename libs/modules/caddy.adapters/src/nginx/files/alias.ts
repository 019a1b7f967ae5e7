/** Determines the files that a location serves. `root` applies to the whole path, and `alias` to the part after the prefix. */
import { raise, rewriteTo, terminal, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { expandText, rootFolder, variablesOf } from '../text/expand.ts';
import { literal } from '../text/regular-expression.ts';
import { guard } from '../script/rewrite.ts';

/** Instructions for finding and serving the files of a location. */
export interface Files {
  readonly root: string;
  /** Path relative to the root, in the string format of the `file` matcher. */
  readonly path: string;
  /** Matches requests for the root directory, which the `file` matcher never finds. `null` if no such matcher is needed. */
  readonly top: Node | null;
  /** Matches requests for directories that `autoindex` does not find. `null` if no such matcher is needed. */
  readonly unlisted: Node | null;
  /** Matchers that must be evaluated before `path`. */
  readonly captured: readonly Node[];
  /** Routes and handlers that rewrite the request path to be relative to the root. */
  readonly guards: readonly Node[];
  readonly enter: readonly Node[];
}

/** Returns instructions for finding and serving the files of a location. */
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
  if (path.kind === 'regex') return regexAlias(site, scope, text, alias);
  const name = site.unique('alias');
  const root = expandText(text, { site, scope, at: alias });
  if (path.kind === 'exact') {
    // A location with an exact path serves a single file.
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
  // For `location /a/ { alias /b; }`, nginx appends the rest of the path without inserting a slash.
  if (path.text.endsWith('/') && !root.endsWith('/')) return glued(name, prefix, root);
  // Without this check, a request path such as `/ab` would access a file next to the aliased directory.
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

/** Returns instructions for a location with a regular expression. Here, `alias` is the complete file name and can contain captures. */
function regexAlias(site: Site, scope: Scope, text: string, alias: Parameters<typeof expandText>[1]['at']): Files {
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

/** Returns matcher options for an absolute directory path. `/` always exists. */
function folderAt(path: string): Node {
  return path === '/' ? {} : { file: { root: '/', try_files: [`${path}/`] } };
}

function splitFile(path: string): [folder: string, file: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at) || '/', path.slice(at)];
}
