/** `http.matchers.url_pattern`: matches the whole URL against a WHATWG URL pattern. */
import { httpMatchers, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { boolean, defineModule, options, string, type Options } from '@sluice/registry';
import { cleanRequestPath, escapePath, valueError } from '@sluice/base';
import { takeExpressions } from './custom-groups.ts';
import { compileComponent, type Component, type ComponentSyntax } from './component.ts';

const urlPatternOptions = options({
  pattern: string('URL pattern, such as `/users/:id` or `https://*.example.com/*`.', { examples: ['/users/:id{/*}?'] }),
  base_url: string(
    'Base URL for relative patterns. Default: none; a pattern that begins with a slash matches any scheme and host.',
  ),
  ignore_case: boolean('Match case-insensitively.'),
});

export const urlPatternModule = defineModule(httpMatchers, {
  name: 'url_pattern',
  effect: 'pure',
  help: 'Matches the URL against a pattern (URL Pattern Standard). Groups are available as `{http.url_pattern.pathname.<name>}`, or `{http.url_pattern.pathname.0}` if unnamed, and likewise for `hostname`, `search` and the other components.',
  config: urlPatternOptions,
  provision(config, context) {
    try {
      return urlPatternMatcher(config);
    } catch (error) {
      throw context.error((error as Error).message, 'pattern');
    }
  },
});

const names = ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'] as const;
const plain: ComponentSyntax = { delimiter: '', prefix: '' };
const syntaxes: Readonly<Record<string, ComponentSyntax>> = {
  hostname: { delimiter: '.', prefix: '' },
  pathname: { delimiter: '/', prefix: '/' },
};

interface Part extends Component {
  readonly name: (typeof names)[number];
  /** Placeholder names of the component's capturing groups. */
  readonly placeholders: readonly string[];
}

/** Compiles a URL pattern. Throws ERR_VALUE for invalid patterns. */
export function urlPatternMatcher(config: Options<typeof urlPatternOptions>): HttpMatcher {
  const { pattern, expressions } = takeExpressions(config.pattern ?? '');
  const components = parse(pattern, config.base_url ?? '');
  const ignoreCase = config.ignore_case ?? false;
  const parts = names.map((name): Part => {
    const component = compileComponent(components[name], expressions, syntaxes[name] ?? plain, ignoreCase);
    return { name, ...component, placeholders: component.groups.map((group) => `http.url_pattern.${name}.${group}`) };
  });
  return { match: (exchange) => matchParts(exchange, parts) };
}

/** Returns the pattern of each URL component. If there is no base URL, a path pattern applies to any host. */
function parse(pattern: string, base: string): Readonly<Record<(typeof names)[number], string>> {
  try {
    if (base !== '') return new URLPattern(pattern, base);
    if (pattern === '' || pattern === '*') return new URLPattern({});
    if (!/^[/?#]/.test(pattern)) return new URLPattern(pattern);
    const { pathname, search, hash } = new URLPattern(pattern, 'http://any.invalid');
    return {
      protocol: '*',
      hostname: '*',
      port: '*',
      pathname: pattern.startsWith('/') ? pathname : '*',
      search,
      hash,
    };
  } catch (error) {
    throw valueError(`${JSON.stringify(pattern)} is not a URL pattern: ${(error as Error).message}`, error);
  }
}

function matchParts(exchange: Exchange, parts: readonly Part[]): boolean {
  const url = urlOf(exchange);
  if (url === null) return false;
  const found: [name: string, value: string][] = [];
  for (const { name, expression, placeholders } of parts) {
    const text = componentOf(url, name);
    const match = expression.exec(text);
    if (match === null) return false;
    // As in Caddy, captures are not set for a missing URL component.
    if (text !== '')
      for (const [index, placeholder] of placeholders.entries()) found.push([placeholder, match[index + 1] ?? '']);
  }
  for (const [name, value] of found) exchange.setPlaceholder(name, value);
  return true;
}

/**
 * Returns the request URL as browsers serialize it. Its path is cleaned in the same way as for other matchers. Returns `null` for an
 * invalid host.
 */
function urlOf({ connection, host, path, query }: Exchange): URL | null {
  return URL.parse(
    `${connection.tls === null ? 'http' : 'https'}://${host}${escapePath(cleanRequestPath(path))}${query === null ? '' : `?${query}`}`,
  );
}

function componentOf(url: URL, name: (typeof names)[number]): string {
  if (name === 'protocol') return url.protocol.slice(0, -1);
  return name === 'search' || name === 'hash' ? url[name].slice(1) : url[name];
}
