/** Translates changes to upstream response headers: redirects, cookies and hidden headers. */
import type { Json } from '@sluice/base';
import { node, type Node } from '../json.ts';
import type { LocationPath } from '../location-path.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { origin } from '../text/origin.ts';
import { literal, regularExpression } from '../text/regular-expression.ts';

/** Directive prefix of a proxy type, and the proxy address. */
export interface ProxyNames {
  /** Directive prefix: `proxy`, `fastcgi` or `grpc`. */
  readonly kind: string;
  /** Upstream address as written, for `proxy_redirect default`. `null` if it contains variables. */
  readonly address: string | null;
}

/** Returns the operations on response headers. As in nginx, no `Via` header is added. */
export function responseFields(site: Site, scope: Scope, path: LocationPath, names: ProxyNames): Node {
  const hidden = scope.all(`${names.kind}_hide_header`).map((directive) => argument(directive, 0, 'a field name'));
  const replace: Record<string, Json> = {};
  const locations = redirects(site, scope, path, names);
  if (locations.length > 0) replace['Location'] = locations;
  const cookies = cookiePaths(site, scope);
  if (cookies.length > 0) replace['Set-Cookie'] = cookies;
  return node({
    delete: ['Via', ...hidden],
    replace: Object.keys(replace).length === 0 ? undefined : replace,
    deferred: true,
  });
}

function redirects(site: Site, scope: Scope, path: LocationPath, { kind, address }: ProxyNames): Node[] {
  if (kind !== 'proxy') return [];
  const all = scope.all('proxy_redirect');
  const defaults =
    address === null || path.kind === 'regex' || path.kind === 'named'
      ? []
      : [defaultRedirect(site, scope, path, address)];
  if (all.length === 0) return defaults;
  return all.flatMap((directive) => {
    const from = argument(directive, 0, 'a URL to replace, default or off');
    if (from === 'off') return [];
    return from === 'default' ? defaults : [redirect(site, scope, directive, from)];
  });
}

function defaultRedirect(site: Site, scope: Scope, path: LocationPath, address: string): Node {
  const hasUri = /^\w+:\/\/[^/]+\//.test(address);
  return {
    search_regexp: `^${literal(hasUri ? address : `${address}/`)}`,
    replace: located(site, scope, hasUri ? path.text : '/'),
  };
}

/** Returns the `Location` header for a redirect. nginx converts a path to an absolute URL. */
function located(site: Site, scope: Scope, path: string): string {
  return path.startsWith('/') ? `${origin(site, scope)}${path}` : path;
}

function redirect(site: Site, scope: Scope, directive: Directive, from: string): Node {
  const to = located(
    site,
    scope,
    expandText(argument(directive, 1, 'a replacement'), { site, scope, at: directive, special: captures }),
  );
  if (!from.startsWith('~')) return { search_regexp: `^${literal(from)}`, replace: to };
  const insensitive = from.startsWith('~*');
  return { search_regexp: regularExpression(directive, from.slice(insensitive ? 2 : 1), { insensitive }), replace: to };
}

/** Captures of the regular expression, as placeholders for the operation. */
const captures = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [String(i), `\${${i}}`]));

/** Captures for a cookie attribute value. The first group is the attribute name. */
const cookieCaptures = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [String(i), `\${${i + 1}}`]));

function cookiePaths(site: Site, scope: Scope): Node[] {
  return ['path', 'domain'].flatMap((attribute) =>
    scope.all(`proxy_cookie_${attribute}`).flatMap((directive) => {
      const from = argument(directive, 0, 'a value to replace, or off');
      if (from === 'off') return [];
      const to = expandText(argument(directive, 1, 'a replacement'), {
        site,
        scope,
        at: directive,
        special: cookieCaptures,
      });
      const name = `((?i:;\\s*${attribute}=))`;
      if (from.startsWith('~')) return [cookieExpression(directive, name, from.slice(1), to)];
      if (/\$\w/.test(from))
        site.adaptation.warn(directive, `${directive.name} ${from}: variables in the replaced text are not supported`);
      return [{ search_regexp: `${name}(?i:${literal(from)})`, replace: `\${1}${to}` }];
    }),
  );
}

/**
 * Returns the regular expression for a cookie attribute. It matches only the attribute value, up to the semicolon. The replacement applies
 * to the whole value.
 */
function cookieExpression(directive: Directive, name: string, source: string, to: string): Node {
  const insensitive = source.startsWith('*');
  const text = source.replace(/^\*/, '');
  const starts = text.startsWith('^');
  const ends = /(?:^|[^\\])(?:\\\\)*\$$/.test(text);
  const inner = text.slice(starts ? 1 : 0, ends ? -1 : undefined);
  // Outside of brackets, a dot must not match beyond the end of the cookie attribute value.
  const bounded = inner.replaceAll(/\\.|\[(?:\\.|[^\]])*\]|\./g, (part) => (part === '.' ? '[^;]' : part));
  const pattern = `(?${insensitive ? 'i' : ''}:${regularExpression(directive, bounded)})`;
  return {
    search_regexp: `${name}${starts ? '' : '[^;]*?'}${pattern}${ends ? '' : '[^;]*'}(?P<end>;|$)`,
    replace: `\${1}${to}\${end}`,
  };
}
