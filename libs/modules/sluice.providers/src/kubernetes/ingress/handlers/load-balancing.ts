/** Endpoint selection, retries, and session affinity. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import type { Annotations } from '../annotations/reader.ts';
import type { IngressScope } from '../scope.ts';

/** Default number of attempts in ingress-nginx if `proxy-next-upstream-tries` is not set. */
const defaultTries = 3;
const maxRetries = 10;

export function loadBalancing(annotations: Annotations): JsonObject {
  const policy = selectionPolicy(annotations);
  const retries = retriesOf(annotations);
  const options = { ...(policy === null ? {} : { selection_policy: policy }), ...retries };
  return Object.keys(options).length === 0 ? {} : { load_balancing: options };
}

function selectionPolicy(annotations: Annotations): JsonObject | null {
  const cookie = affinityCookie(annotations);
  const hash = hashPolicy(annotations);
  const algorithm = annotations.word('load-balance', ['round_robin', 'least_conn', 'ip_hash', 'ewma']);
  const balanced =
    algorithm === 'ewma' || algorithm === 'least_conn'
      ? { policy: 'least_conn' }
      : algorithm === 'ip_hash'
        ? { policy: 'client_ip_hash' }
        : algorithm === 'round_robin'
          ? { policy: 'round_robin' }
          : null;
  const other = hash ?? balanced;
  return cookie === null ? other : { ...cookie, ...(other === null ? {} : { fallback: other }) };
}

/** Keys of `upstream-hash-by` for which there is a selection policy. */
const keys: readonly (readonly [RegExp, (name: string) => JsonObject])[] = [
  [/^\$\{?(?:binary_)?remote_addr\}?$/, () => ({ policy: 'client_ip_hash' })],
  [/^\$\{?(?:request_)?uri\}?$/, () => ({ policy: 'uri_hash' })],
  [/^\$\{?http_(\w+?)\}?$/, (name) => ({ policy: 'header', field: name.replaceAll('_', '-') })],
  [/^\$\{?arg_(\w+?)\}?$/, (name) => ({ policy: 'query', key: name })],
];

function hashPolicy(annotations: Annotations): JsonObject | null {
  const key = annotations.text('upstream-hash-by');
  if (key === undefined) return null;
  for (const [expression, policy] of keys) {
    const match = expression.exec(key);
    if (match !== null) return policy(match[1] ?? '');
  }
  annotations.warn('upstream-hash-by', `key ${key} is not supported; endpoints are selected by client address instead`);
  return { policy: 'client_ip_hash' };
}

const defaultCookie = 'INGRESSCOOKIE';

function affinityCookie(annotations: Annotations): JsonObject | null {
  if (annotations.word('affinity', ['cookie']) === undefined) return null;
  annotations.word('affinity-mode', ['balanced', 'persistent']);
  const age = annotations.integer('session-cookie-max-age') ?? annotations.integer('session-cookie-expires');
  return {
    policy: 'cookie',
    name: annotations.token('session-cookie-name') ?? defaultCookie,
    ...(age === undefined ? {} : { max_age: `${age}s` }),
  };
}

/** Returns handlers that change the attributes of the affinity cookie. Returns an empty list if no annotation sets attributes. */
export function cookieHandlers({ annotations }: IngressScope): readonly JsonObject[] {
  if (annotations.text('affinity') === undefined) return [];
  const path = annotations.text('session-cookie-path');
  const domain = annotations.text('session-cookie-domain');
  const sameSite = annotations.word('session-cookie-samesite', ['Lax', 'Strict', 'None']);
  const secure = annotations.flag('session-cookie-secure');
  const cookie = `^(${annotations.token('session-cookie-name') ?? defaultCookie}=[^;]*.*?)`;
  const replaced = (search: string, replace: string): JsonObject => ({ search_regexp: search, replace });
  const changes = [
    ...(path === undefined ? [] : [replaced(`${cookie}; Path=/(;|$)`, `\${1}; Path=${safe(path)}\${2}`)]),
    ...(sameSite === undefined ? [] : [replaced(`${cookie}; SameSite=\\w+`, `\${1}; SameSite=${sameSite}`)]),
    ...(domain === undefined ? [] : [replaced(`${cookie}$`, `\${1}; Domain=${safe(domain)}`)]),
    ...(secure === undefined ? [] : [replaced(`${cookie}; Secure(;|$)`, '${1}${2}')]),
    ...(secure === true ? [replaced(`${cookie}$`, '${1}; Secure')] : []),
  ];
  if (changes.length === 0) return [];
  return [{ handler: 'headers', response: { replace: { 'Set-Cookie': changes }, deferred: true } }];
}

/** Removes characters that would terminate a cookie attribute or refer to a capture group. */
function safe(text: string): string {
  return literal(text.replaceAll(/[;$\s]/g, ''));
}

const conditions = ['error', 'timeout', 'invalid_header', 'non_idempotent', 'updating', 'off'];

function retriesOf(annotations: Annotations): JsonObject {
  const wanted = (annotations.text('proxy-next-upstream') ?? '').split(/\s+/).filter((each) => each !== '');
  for (const each of wanted)
    if (!conditions.includes(each))
      annotations.warn(
        'proxy-next-upstream',
        `${each} is not supported; the response status code does not trigger retries`,
      );
  const tries = annotations.integer('proxy-next-upstream-tries') ?? defaultTries;
  const timeout = annotations.integer('proxy-next-upstream-timeout') ?? 0;
  if (wanted.includes('off') || tries === 1) return {};
  return {
    // As in nginx, 0 means no limit: each endpoint is tried.
    retries: tries === 0 ? maxRetries : Math.min(tries - 1, maxRetries),
    ...(timeout === 0 ? {} : { try_duration: `${timeout}s` }),
    ...(wanted.includes('non_idempotent') ? { retry_match: [{ path: ['*'] }] } : {}),
  };
}
