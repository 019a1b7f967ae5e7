/** The `uri` option of a rewrite: a template for the path, the query, or both. */
import { compileTemplate, escapePath, escapeQuery, formatValue, unescapePathOrNull, type Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { compileText, resolveHttp, type HttpTemplate } from '../placeholders/resolve.ts';
import type { Rewrite } from './rewrite-target.ts';
import { setQuery } from './set-query.ts';

/** Placeholders that expand to an entire query and are inserted unchanged. */
const wholeQuery = /^\{http\.request\.(?:orig_)?uri\.(?:prefixed_)?query\}$/;

/** Compiles the `uri` option. Path and query are split before placeholders are expanded. */
export function compileUri(uri: string): Rewrite {
  const [withoutFragment = ''] = splitOutside(uri, '#');
  const [pathText = '', queryText = null] = splitOutside(withoutFragment, '?');
  const path = pathText === '' ? null : compilePath(pathText);
  const query = queryText === null ? null : compileQuery(queryText);
  return (exchange, target) => {
    let newQuery = query === null ? undefined : query(exchange);
    if (path !== null) {
      let text = path.expand(exchange);
      const hash = text.indexOf('#');
      if (hash >= 0) text = text.slice(0, hash);
      const mark = text.indexOf('?');
      if (mark >= 0) {
        newQuery ||= withoutBraces(text.slice(mark + 1));
        text = text.slice(0, mark);
      }
      // As in Caddy, encoded slashes are lost, because the path is decoded and re-encoded.
      target.rawPath = escapePath(unescapePathOrNull(text) ?? text);
    }
    if (newQuery !== undefined) setQuery(exchange, target, newQuery);
  };
}

/** Placeholders that expand to decoded paths. A `%` or `?` in their values is a literal character. */
const decodedPaths: ReadonlySet<string> = new Set([
  'http.request.uri.path',
  'http.matchers.file.relative',
  'http.matchers.file.remainder',
]);

/**
 * Compiles a path template. Values that are paths of requests or files are escaped, so decoding the new path yields the original values.
 * Other values are URI text and may contain escapes and a query.
 */
function compilePath(text: string): HttpTemplate {
  return compileTemplate<Exchange>(
    text,
    (name) => {
      const read = resolveHttp(name);
      return read !== null && decodedPaths.has(name) ? escapingWith(escapePath, read) : read;
    },
    'empty',
  );
}

/** Escapes braces, so that later steps don't expand placeholders inside a value. */
function withoutBraces(query: string): string {
  return query.includes('{') || query.includes('}') ? query.replaceAll('{', '%7B').replaceAll('}', '%7D') : query;
}

/** Splits a string at the first separator that is not inside a placeholder. */
function splitOutside(text: string, sign: string): [string] | [string, string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && depth > 0) depth--;
    else if (text[i] === sign && depth === 0) return [text.slice(0, i), text.slice(i + 1)];
  }
  return [text];
}

/** Escapes placeholder values, so that they can't add query parameters. */
function compileQuery(text: string): (exchange: Exchange) => string {
  const elements = text.split('&').map((element): ((exchange: Exchange) => string) => {
    if (wholeQuery.test(element)) {
      const whole = compileText(element, 'empty');
      const from = element.includes('prefixed_') ? 1 : 0;
      return (exchange) => whole.expand(exchange).slice(from);
    }
    const template = compileEscaped(element);
    return (exchange) => template.expand(exchange);
  });
  return (exchange) => {
    let query = '';
    for (const element of elements) {
      const part = element(exchange);
      if (part !== '') query += query === '' ? part : `&${part}`;
    }
    return query;
  };
}

function compileEscaped(text: string): HttpTemplate {
  return compileTemplate<Exchange>(
    text,
    (name) => {
      const read = resolveHttp(name);
      return read === null ? null : escapingWith(escapeQuery, read);
    },
    'empty',
  );
}

function escapingWith(escape: (text: string) => string, read: Accessor<Exchange>): Accessor<Exchange> {
  return (exchange) => {
    const value = read(exchange);
    return value === undefined ? undefined : escape(formatValue(value));
  };
}
