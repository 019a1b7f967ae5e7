/** Rules for response headers that have a fixed set of values or a fixed form. */

/** Checks a header value. Returns a description of the error and its correction, or `null` if the value is valid. */
export type FieldRule = (value: string) => string | null;

function oneOf(...words: readonly string[]): FieldRule {
  return (value) => (words.includes(value.trim().toLowerCase()) ? null : `use ${words.join(' or ')}`);
}

/** Creates a rule for words that may have parameters, such as `same-origin; report-to="coop"`. */
function withParameters(...words: readonly string[]): FieldRule {
  const rule = oneOf(...words);
  return (value) => rule(value.split(';')[0] ?? '');
}

const policies = [
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
];

function referrerPolicy(value: string): string | null {
  const wrong = value.split(',').find((each) => !policies.includes(each.trim().toLowerCase()));
  return wrong === undefined
    ? null
    : `${JSON.stringify(wrong.trim())} is not a valid policy; use one of ${policies.join(', ')}`;
}

function frameOptions(value: string): string | null {
  if (/^\s*(?:deny|sameorigin)\s*$/i.test(value)) return null;
  return 'browsers support only DENY and SAMEORIGIN; for anything else, set frame-ancestors in Content-Security-Policy';
}

/** RFC 6797 §6.1. */
function strictTransport(value: string): string | null {
  const directives = value.split(';').map((each) => each.trim());
  const unknown = directives.find((each) => !/^(?:max-age\s*=\s*"?\d+"?|includesubdomains|preload|)$/i.test(each));
  if (unknown !== undefined)
    return `${JSON.stringify(unknown)} is not a directive; for example, write "max-age=31536000; includeSubDomains"`;
  return directives.some((each) => /^max-age/i.test(each))
    ? null
    : 'max-age is missing; for example, add max-age=31536000';
}

function allowOrigin(value: string): string | null {
  const origin = value.trim();
  if (origin === '*' || origin === 'null') return null;
  if (/[,\s]/.test(origin)) return 'it must be a single origin; select it with a matcher on the Origin header';
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(origin))
    return `an origin must have a scheme; write https://${origin.replace(/^\/+/, '')}`;
  const [, bare = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]+)[/?#]/i.exec(origin) ?? [];
  if (bare !== '') return `an origin must not have a path or trailing slash; write ${bare}`;
  return origin.includes('*') ? 'an asterisk within an origin has no effect; list each origin' : null;
}

/**
 * Checks a structured header value, such as `geolocation=(), camera=(self)`. Ignores values in the syntax of the older header
 * Feature-Policy.
 */
function permissionsPolicy(value: string): string | null {
  const wrong = value.split(/,(?![^(]*\))/).find((each) => !/^\s*[\w*-]+\s*=/.test(each));
  return wrong === undefined
    ? null
    : `${JSON.stringify(wrong.trim())} is not a directive; for example, write geolocation=()`;
}

function mediaType(value: string): string | null {
  return /^\s*[\w.+-]+\/[\w.+*-]+\s*(?:;.*)?$/.test(value)
    ? null
    : 'expected a media type; for example, write text/html; charset=utf-8';
}

function siteData(value: string): string | null {
  return value.split(',').every((each) => /^\s*"[^"]*"\s*$/.test(each))
    ? null
    : String.raw`each type must be in double quotes; for example, write "cache", "cookies"`;
}

/** Header rules, keyed by lowercase header name. */
export const closedValues: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['access-control-allow-credentials', oneOf('true')],
  ['access-control-allow-origin', allowOrigin],
  ['clear-site-data', siteData],
  ['content-type', mediaType],
  ['cross-origin-embedder-policy', withParameters('unsafe-none', 'require-corp', 'credentialless')],
  [
    'cross-origin-opener-policy',
    withParameters('unsafe-none', 'same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'),
  ],
  ['cross-origin-resource-policy', oneOf('same-site', 'same-origin', 'cross-origin')],
  ['permissions-policy', permissionsPolicy],
  ['referrer-policy', referrerPolicy],
  ['strict-transport-security', strictTransport],
  ['x-content-type-options', oneOf('nosniff')],
  ['x-dns-prefetch-control', oneOf('on', 'off')],
  ['x-frame-options', frameOptions],
]);
