/** Applies rewrites to a request, for the loop checks. */
import { own, type JsonObject } from '@sluice/base';
import type { Visit } from './visit.ts';

/** Rewrite options that this module supports. If a rewrite has other options, the result is uncertain. */
const followed: ReadonlySet<string> = new Set([
  'handler',
  '@id',
  'method',
  'uri',
  'strip_path_prefix',
  'strip_path_suffix',
]);

/** Returns the request after a rewrite. Returns `null` if the result is uncertain. */
export function rewritten(visit: Visit, options: JsonObject, expand: (text: string) => string | null): Visit | null {
  if (Object.keys(options).some((key) => !followed.has(key))) return null;
  const text = (key: string): string | null => {
    const value = own(options, key);
    return typeof value === 'string' && value !== '' ? expand(value) : value === undefined ? '' : null;
  };
  const [method, uri, prefix, suffix] = [
    text('method'),
    text('uri'),
    text('strip_path_prefix'),
    text('strip_path_suffix'),
  ];
  if (method === null || uri === null || prefix === null || suffix === null) return null;
  let { path, query } = visit;
  if (uri !== '') {
    // Fragments, percent-encoding, and relative paths have special rules, so the result is uncertain.
    if (/[#%]/.test(uri)) return null;
    const mark = uri.indexOf('?');
    const target = mark < 0 ? uri : uri.slice(0, mark);
    if (target !== '') path = target.startsWith('/') ? target : `/${target}`;
    if (mark >= 0) query = uri.slice(mark + 1);
  }
  if (prefix !== '' && path.toLowerCase().startsWith(prefix.toLowerCase())) path = path.slice(prefix.length);
  if (suffix !== '' && path.toLowerCase().endsWith(suffix.toLowerCase()))
    path = path.slice(0, path.length - suffix.length);
  if (!path.startsWith('/')) path = `/${path}`;
  return { ...visit, path, query, method: method === '' ? visit.method : method.toUpperCase() };
}
