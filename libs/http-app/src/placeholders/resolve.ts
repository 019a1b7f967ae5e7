/** Resolves the names of request placeholders to accessors, once during provisioning. */
import {
  compileTemplate,
  resolveExternal,
  resolveGlobal,
  resolveTime,
  type Accessor,
  type Resolver,
  type Template,
  type Unknown,
} from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { resolveProxied } from '../proxy/facts.ts';
import { cookieOf } from './cookie.ts';
import { resolveAddress } from './address.ts';
import { resolveError } from './error.ts';
import { externalAccessor } from './external.ts';
import { resolveHeader } from './header.ts';
import { resolveIntercepted } from './intercepted.ts';
import { resolveTls } from './tls.ts';
import { resolveUri } from './uri.ts';
import { fixedAccessors } from './fixed.ts';

/** A string template with request placeholders. */
export type HttpTemplate = Template<Exchange>;

/** Placeholder resolvers by name prefix. The longest matching prefix wins. */
const byPrefix: readonly (readonly [prefix: string, resolve: (rest: string) => Accessor<Exchange> | null])[] = [
  ['http.request.header.', (rest) => resolveHeader(rest)],
  ['http.request.cookie.', (rest) => (exchange) => cookieOf(exchange.headers, rest)],
  ['http.request.host.labels.', hostLabel],
  ['http.request.uri.', (rest) => resolveUri(rest, false)],
  ['http.request.orig_uri.', (rest) => resolveUri(rest, true)],
  ['http.request.remote.', (rest) => resolveAddress(rest, 'remote')],
  ['http.request.local.', (rest) => resolveAddress(rest, 'local')],
  ['http.request.tls.', resolveTls],
  ['http.response.header.', (rest) => responseHeader(rest.toLowerCase())],
  ['http.vars.', (rest) => (exchange) => exchange.variable(rest) ?? ''],
  ['http.regexp.', capture],
  ['http.intercept.', resolveIntercepted],
  ['http.reverse_proxy.', resolveProxied],
  ['http.error', resolveError],
];

/** Returns the accessor of a built-in placeholder. Returns `null` for other names, which only modules can set. */
export const resolveKnown: Resolver<Exchange> = (name) => {
  const fixed = fixedAccessors.get(name);
  if (fixed !== undefined) return fixed;
  for (const [prefix, resolve] of byPrefix) {
    if (!name.startsWith(prefix)) continue;
    const accessor = resolve(name.slice(prefix.length));
    if (accessor !== null) return accessor;
  }
  const external = resolveExternal(name);
  if (external !== null) return externalAccessor(name.startsWith('env.') ? 'environment' : 'file', external);
  const time = resolveTime(name);
  return time === null ? resolveGlobal(name) : (exchange) => time(exchange.now());
};

/** Placeholder prefixes that are followed by a key, for example `http.request.header.`. */
export const placeholderPrefixes: readonly string[] = [...byPrefix.map(([prefix]) => prefix), 'env.', 'file.'];

/**
 * Returns the accessor of a placeholder. Names that are not built in are looked up in the exchange, because handlers and matchers such as
 * `map`, `file` and `reverse_proxy` may set them.
 */
export const resolveHttp: Resolver<Exchange> = (name) => {
  const known = resolveKnown(name);
  if (known !== null) return known;
  return name === '' || /[\s{"']/.test(name) ? null : (exchange) => exchange.placeholder(name);
};

/** Compiles a template. `unknown` determines how unknown placeholders are handled. */
export function compileText(source: string, unknown: Unknown): HttpTemplate {
  return compileTemplate(source, resolveHttp, unknown);
}

/** Returns the value of a placeholder whose name is known only at run time, as in template functions. */
export function placeholderValue(exchange: Exchange, name: string): unknown {
  return resolveHttp(name)?.(exchange);
}

function responseHeader(name: string): Accessor<Exchange> {
  return (exchange) => exchange.response.headers.joined(name) ?? '';
}

function hostLabel(rest: string): Accessor<Exchange> | null {
  if (!/^\d{1,4}$/.test(rest)) return null;
  const index = Number(rest);
  const host = fixedAccessors.get('http.request.host') as Accessor<Exchange>;
  return (exchange) => {
    const labels = (host(exchange) as string).toLowerCase().split('.');
    return labels[labels.length - 1 - index] ?? '';
  };
}

/** Resolves `<name>.<group>` or `<group>` to a capture group of a regular expression that matched. */
function capture(rest: string): Accessor<Exchange> {
  const dot = rest.lastIndexOf('.');
  const name = dot < 0 ? '' : rest.slice(0, dot);
  const group = rest.slice(dot + 1);
  return (exchange) => exchange.captures(name)?.group(group);
}
