/** Rules for response headers that contain lists of directives: caching, cookies, and content security. */
import { closest } from '@sluice/base';
import type { FieldRule } from './closed-values.ts';

const caching = [
  'max-age',
  's-maxage',
  'no-cache',
  'no-store',
  'no-transform',
  'must-revalidate',
  'must-understand',
  'proxy-revalidate',
  'public',
  'private',
  'immutable',
  'stale-while-revalidate',
  'stale-if-error',
  'post-check',
  'pre-check',
];

/** Checks a `Cache-Control` value (RFC 9111 §5.2.2). Unknown directives are valid extensions, unless they are similar to a known directive. */
function cacheControl(value: string): string | null {
  const given = new Map<string, string>();
  for (const part of value.split(',')) {
    const [name = '', argument = ''] = part
      .trim()
      .toLowerCase()
      .split(/\s*=\s*/);
    if (name.includes(':'))
      return `a directive and its value must be separated by an equals sign; write ${name.replace(/:\s*/, '=')}`;
    const meant = caching.includes(name) ? null : closest(name, caching, 2);
    if (meant !== null) return `${JSON.stringify(name)} is not a directive; write ${meant}`;
    given.set(name, argument);
  }
  const kept = ['public', 'immutable', 'max-age', 's-maxage'].find(
    (name) => given.has(name) && given.get(name) !== '0',
  );
  if (given.has('no-store') && kept !== undefined)
    return `no-store and ${kept} contradict each other; remove one of them`;
  return given.has('public') && given.has('private')
    ? 'public and private contradict each other; remove one of them'
    : null;
}

/** Checks a `Set-Cookie` value (RFC 6265bis §4.1.2 and §4.1.3). */
function cookie(value: string): string | null {
  const [pair = '', ...attributes] = value.split(';').map((each) => each.trim());
  const given = new Map(
    attributes.map((each) => {
      const [name = '', argument = ''] = each.split(/\s*=\s*/);
      return [name.toLowerCase(), argument.toLowerCase()];
    }),
  );
  const site = given.get('samesite');
  if (site !== undefined && !['strict', 'lax', 'none'].includes(site)) return 'SameSite must be Strict, Lax or None';
  if (given.has('secure')) return null;
  if (site === 'none') return 'browsers reject SameSite=None without Secure; add Secure';
  return /^__(?:secure|host)-/i.test(pair)
    ? 'browsers reject a cookie with this prefix without Secure; add Secure'
    : null;
}

const contentSecurity = [
  'base-uri',
  'block-all-mixed-content',
  'child-src',
  'connect-src',
  'default-src',
  'fenced-frame-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'navigate-to',
  'object-src',
  'plugin-types',
  'prefetch-src',
  'referrer',
  'report-to',
  'report-uri',
  'require-sri-for',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'upgrade-insecure-requests',
  'worker-src',
];

const keyword =
  /^(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|wasm-unsafe-eval|strict-dynamic|report-sample|(?:nonce|sha256|sha384|sha512)-[\w+/=-]+)$/i;

function contentSecurityPolicy(value: string): string | null {
  for (const directive of value.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    const lower = name.toLowerCase();
    const long = lower.replace(/-sources?$/, '-src');
    const meant =
      lower === '' || contentSecurity.includes(lower)
        ? null
        : contentSecurity.includes(long)
          ? long
          : closest(lower, contentSecurity, 2);
    if (meant !== null) return `${JSON.stringify(name)} is not a directive; write ${meant}`;
    const bare = /-src|-action|-ancestors|base-uri/.test(lower)
      ? sources.find((each) => keyword.test(each))
      : undefined;
    if (bare !== undefined) return `${bare} without quotes is a host name; write '${bare}'`;
  }
  return null;
}

/** Header rules, keyed by lowercase header name. */
export const directiveValues: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['cache-control', cacheControl],
  ['content-security-policy', contentSecurityPolicy],
  ['content-security-policy-report-only', contentSecurityPolicy],
  ['set-cookie', cookie],
]);
