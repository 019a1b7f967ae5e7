/** Converts strings that contain nginx variables to strings that contain placeholders. */
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import type { Place } from '../problem.ts';
import { literal } from './regular-expression.ts';
import { cleanPath, placeholderOf } from './variables.ts';

/** Context in which variables are resolved. */
export interface TextPlace {
  readonly site: Site;
  readonly scope: Scope;
  readonly at: Place;
  /** Additional variables that exist only for this string. */
  readonly special?: Readonly<Record<string, string>>;
  /**
   * True if the upstream response is available when the string is expanded. This is the case, for example, if the string assigns a response
   * header to a variable.
   */
  readonly held?: boolean;
}

/** Translates a string with variables. An unknown variable becomes empty and causes a warning. */
export function expandText(text: string, place: TextPlace): string {
  return parts(text)
    .map((part) => (part.variable === null ? escapeBraces(part.text) : variable(part.variable, place)))
    .join('');
}

export function variablesOf(text: string): string[] {
  return parts(text).flatMap(({ variable }) => (variable === null ? [] : [variable]));
}

/** Placeholders whose value is never empty. */
const neverEmpty: ReadonlySet<string> = new Set(
  [
    'http.request.orig_uri http.request.host http.request.hostport http.request.method http.request.proto http.request.scheme',
    'http.request.uuid http.request.uri.path http.request.local.host http.request.local.port http.request.remote.host',
    'http.request.remote.port http.vars.client_ip system.hostname time.now',
  ].flatMap((line) => line.split(' ').map((name) => `{${name}}`)),
);

/** Reports whether a translated string can be empty. This is the case if it consists only of placeholders that may be empty. */
export function mayBeEmpty(text: string): boolean {
  const placeholders = text.match(/\{[^{}]*\}/g) ?? [];
  return placeholders.join('') === text && !placeholders.some((each) => neverEmpty.has(each));
}

export function escapeBraces(text: string): string {
  return text.replaceAll(/[{}]/g, '\\$&');
}

interface Part {
  readonly text: string;
  readonly variable: string | null;
}

/** Splits a string into literal text and variables. `$is_args$args` counts as a single variable: the query with its question mark. */
function parts(source: string): Part[] {
  const list: Part[] = [];
  let at = 0;
  for (const match of source.matchAll(/\$(?:\{(\w+)\}|(\d|[A-Za-z_]\w*))/g)) {
    if (match.index > at) list.push({ text: source.slice(at, match.index), variable: null });
    list.push({ text: match[0], variable: match[1] ?? match[2] ?? '' });
    at = match.index + match[0].length;
  }
  if (at < source.length) list.push({ text: source.slice(at), variable: null });
  return list.flatMap((part, i) => {
    const next = list[i + 1]?.variable;
    if (part.variable === 'is_args' && isQuery(next)) return [{ text: '', variable: prefixedQuery }];
    return isQuery(part.variable) && list[i - 1]?.variable === 'is_args' ? [] : [part];
  });
}

function isQuery(variable: string | null | undefined): boolean {
  return variable === 'args' || variable === 'query_string';
}

/** Name of the variable that represents `$is_args$args`. The space distinguishes it from nginx variables. */
const prefixedQuery = 'is_args args';

function variable(name: string, { site, scope, at, special, held }: TextPlace): string {
  if (name === prefixedQuery) return '{http.request.uri.prefixed_query}';
  const found =
    (special !== undefined && Object.hasOwn(special, name) ? special[name] : undefined) ??
    rootOf(name, site, scope) ??
    placeholderOf({ site, scope, name, held });
  if (found !== null) return found;
  site.adaptation.warn(at, `unknown variable $${name} is empty`);
  return '';
}

/** Resolves `$document_root` and the variables that are based on it. */
function rootOf(name: string, site: Site, scope: Scope): string | null {
  if (name !== 'request_filename' && name !== 'document_root' && name !== 'realpath_root') return null;
  const { alias } = scope;
  if (alias !== null) return aliasOf(name, { site, scope, at: alias.directive }, alias);
  if (name === 'request_filename') return `${rootFolder(site, scope)}${cleanPath(site)}`;
  return rootFolder(site, scope);
}

function aliasOf(name: string, place: TextPlace, alias: NonNullable<Scope['alias']>): string {
  const { folder, below } = aliasParts(place, alias);
  return name === 'request_filename' ? folder + below : folder;
}

/** Returns the directory of an `alias`, and a placeholder for the rest of the path, which may be empty. */
export function aliasParts(
  { site, scope }: TextPlace,
  { directive, path }: NonNullable<Scope['alias']>,
): { readonly folder: string; readonly below: string } {
  const folder = site.adaptation.path(expandText(directive.args[0] ?? '', { site, scope, at: directive }));
  // In locations with an exact path or a regular expression, `alias` is the complete file name.
  if (path.kind !== 'prefix' && path.kind !== 'preferred') return { folder, below: '' };
  const below = site.lookUp('below', {
    handler: 'map',
    source: cleanPath(site),
    mappings: [{ input_regexp: `(?s)^${literal(path.text)}(.*)$`, outputs: ['${1}'] }],
    defaults: [''],
  });
  return { folder, below };
}

/**
 * Returns the directory of `root`. nginx resolves relative directories against its installation prefix, which is not known during
 * adaptation.
 */
export function rootFolder(site: Site, scope: Scope): string {
  const root = scope.find('root');
  if (root === undefined) return site.adaptation.path('html');
  const [text = ''] = root.args;
  if (!/^[/$]/.test(text))
    site.adaptation.warn(
      root,
      `root ${text} is relative to the directory of the configuration file; nginx resolves it relative to the nginx prefix`,
    );
  const folder = site.adaptation.path(expandText(text, { site, scope, at: root }));
  return folder.replace(/(?<=.)\/+$/, '');
}
