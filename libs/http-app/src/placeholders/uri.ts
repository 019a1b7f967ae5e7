/** Request target placeholders, such as `path`, `path.0`, `path.dir`, `path.file.ext`, `query` and `query.x`. */
import { escapeQuery, parseQuery, unescapePath, type Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

type Text = (exchange: Exchange) => string;

const originalPath: Text = ({ originalRawPath }) =>
  originalRawPath.includes('%') ? unescapePath(originalRawPath) : originalRawPath;

export function resolveUri(rest: string, original: boolean): Accessor<Exchange> | null {
  const path: Text = original ? originalPath : (exchange) => exchange.path;
  const query: Text = original ? ({ originalQuery }) => originalQuery ?? '' : (exchange) => exchange.query ?? '';
  if (rest === 'path') return path;
  if (rest === 'query') return query;
  if (rest === 'prefixed_query') return (exchange) => prefixed(query(exchange));
  if (rest === 'path.file_escaped' && original) return ({ originalRawPath }) => fileOf(originalRawPath);
  if (rest === 'path.dir') return (exchange) => directoryOf(path(exchange));
  if (rest === 'path.file') return (exchange) => fileOf(path(exchange));
  if (/^path\.\d{1,4}$/.test(rest)) return segment(path, Number(rest.slice(5)));
  return original ? null : resolveCurrent(rest, path, query);
}

function resolveCurrent(rest: string, path: Text, query: Text): Accessor<Exchange> | null {
  if (rest === 'path_escaped') return (exchange) => escapeQuery(path(exchange));
  if (rest === 'query_escaped') return (exchange) => escapeQuery(query(exchange));
  if (rest === 'path.file.base') return (exchange) => baseName(path(exchange));
  if (rest === 'path.file.ext') return (exchange) => splitFile(fileOf(path(exchange)))[1];
  if (!rest.startsWith('query.')) return null;
  const name = rest.slice(6);
  return (exchange) => {
    const text = query(exchange);
    return text === '' ? '' : (parseQuery(text).get(name)?.join(',') ?? '');
  };
}

function segment(path: Text, index: number): Text {
  return (exchange) => {
    const text = path(exchange);
    return text.slice(text.startsWith('/') ? 1 : 0).split('/')[index] ?? '';
  };
}

function prefixed(query: string): string {
  return query === '' ? '' : `?${query}`;
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Returns the last path element without its extension. If the element is a directory, returns its whole name. Returns a slash for the root,
 * and a dot for an empty path.
 */
function baseName(path: string): string {
  if (path === '') return '.';
  if (!path.endsWith('/')) return splitFile(fileOf(path))[0];
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : fileOf(trimmed);
}

function splitFile(file: string): [base: string, extension: string] {
  const dot = file.lastIndexOf('.');
  return dot < 0 ? [file, ''] : [file.slice(0, dot), file.slice(dot)];
}
