/** Where the files of a location are: `root` with the whole path, or `alias` with what stands after the prefix. */
import { rewriteTo, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { expandText, rootFolder, variablesOf } from '../text/expand.ts';
import { literal } from '../text/regular-expression.ts';
import { guard } from '../script/rewrite.ts';
import type { LocationPath } from '../location-path.ts';

/** How to find and serve the files of a location. */
export interface Files {
  readonly root: string;
  /** The path under the root, as a text of a `file` matcher. */
  readonly path: string;
  /** Matchers that must run before `path` is read. */
  readonly captured: readonly Node[];
  /** Routes and handlers that make the path of the request that under the root. */
  readonly guards: readonly Node[];
  readonly enter: readonly Node[];
}

/** Where the files of a location are. */
export function filesOf(site: Site, scope: Scope, path: LocationPath): Files {
  const alias = scope.place.own('alias').at(-1);
  const current = '{http.request.uri.path}';
  if (alias === undefined) return { root: rootFolder(site, scope), path: current, captured: [], guards: [], enter: [] };
  const text = site.adaptation.path(alias.args[0] ?? '');
  if (path.kind === 'regex') return wholeAlias(site, scope, text, alias);
  const name = site.unique('alias');
  const root = expandText(text, { site, scope, at: alias });
  if (path.kind === 'exact') {
    // One path, one file.
    const [folder, file] = splitFile(root);
    return { root: folder, path: file, captured: [], guards: [], enter: [rewriteTo(file)] };
  }
  const prefix = path.text.replace(/\/$/, '');
  return {
    root: root.replace(/(?<=.)\/+$/, ''),
    path: `/{http.regexp.${name}.1}`,
    captured: [{ path_regexp: { name, pattern: `^${literal(prefix)}/?(.*)$` } }],
    guards: [],
    enter: prefix === '' ? [] : [{ handler: 'rewrite', strip_path_prefix: prefix }],
  };
}

/** In a location with an expression the alias is the whole name of the file, made of captures. */
function wholeAlias(site: Site, scope: Scope, text: string, alias: Parameters<typeof expandText>[1]['at']): Files {
  const [fixed] = /^[^$]*\//.exec(text) ?? ['/'];
  const rest = text.slice(fixed.length);
  const path = `/${expandText(rest, { site, scope, at: alias })}`;
  const captures = scope.captures;
  const guards = captures === null || variablesOf(rest).length === 0 ? [] : guard(rest, captures);
  return { root: fixed.replace(/(?<=.)\/$/, ''), path, captured: [], guards, enter: [rewriteTo(path)] };
}

function splitFile(path: string): [folder: string, file: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at) || '/', path.slice(at)];
}
