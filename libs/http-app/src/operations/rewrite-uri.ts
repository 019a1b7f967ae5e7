/** The `uri` of a rewrite: a text with placeholders that gives a path, a query, or both. */
import { compileTemplate, escapePath, escapeQuery, formatValue, unescapePathOrNull, type Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { compileText, resolveHttp, type HttpTemplate } from '../placeholders/resolve.ts';
import type { Rewrite } from './rewrite-target.ts';
import { setQuery } from './set-query.ts';

/** Placeholders that are whole queries: as an element of their own they are inserted as they are. */
const wholeQuery = /^\{http\.request\.(?:orig_)?uri\.(?:prefixed_)?query\}$/;

/** Compiles `uri`; path and query are distinguished in the text as it is configured. */
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
      // An encoded slash is lost here, as in the reference: the path is decoded once and encoded again.
      target.rawPath = escapePath(unescapePathOrNull(text) ?? text);
    }
    if (newQuery !== undefined) setQuery(exchange, target, newQuery);
  };
}

/** Placeholders whose values are decoded paths: a `%` or `?` in them is a character of a name. */
const decodedPaths: ReadonlySet<string> = new Set([
  'http.request.uri.path',
  'http.matchers.file.relative',
  'http.matchers.file.remainder',
]);

/**
 * Whole paths, of the request or of a file, are inserted escaped, so that they stay what they are when the new path is
 * decoded. Other values are texts of a URI: they may have escapes, and a query.
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

/** A query that came with a value is not looked at for placeholders again, by whoever reads it next. */
function withoutBraces(query: string): string {
  return query.includes('{') || query.includes('}') ? query.replaceAll('{', '%7B').replaceAll('}', '%7D') : query;
}

/** Splits at the first sign that is in no placeholder. */
function splitOutside(text: string, sign: string): [string] | [string, string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && depth > 0) depth--;
    else if (text[i] === sign && depth === 0) return [text.slice(0, i), text.slice(i + 1)];
  }
  return [text];
}

/** Values of placeholders are escaped, so that they cannot add parameters. */
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
