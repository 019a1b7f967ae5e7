/**
 * Identifies and redacts secrets in explanations, traces, the log tail, and the dashboard. The dashboard bundles this file, so it has no
 * imports and uses only browser features.
 */

export const redacted = 'REDACTED';

/** Header fields whose values are secret. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
]);

/** Matches names of options, parameters, and log fields whose values are secret. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|(?:api|access|mac|private)[_-]?key|credential|(?:^|[._-])(?:auth|bearer|dsn|hmac)$/i;

/** Matches names that denote secrets only in requests. Elsewhere, these names are common words. */
const secretOfRequest =
  /session|sess_?id|^sid$|signature|^sig$|jwt|otp|^code$|^state$|nonce|^pin$|bearer|^key$|csrf|xsrf/i;

/** Reports whether the name of an option or placeholder suggests a secret value. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Reports whether the values of a header are secret. Also applies to options that set the header. */
export function isSecretField(name: string): boolean {
  return secretFields.has(name.toLowerCase()) || secretName.test(name) || /authorization$/i.test(name);
}

/** Reports whether a header or parameter of a recorded request is secret. */
export function isSecretOfRequest(name: string): boolean {
  return isSecretField(name) || secretOfRequest.test(name);
}

/** Redacts secret parameters in a query string. Decodes parameter names before checking them. */
export function redactedQuery(query: string, isSecret: (name: string) => boolean = isSecretOfRequest): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      return equals >= 0 && isSecret(unescaped(name)) ? `${name}=${redacted}` : withoutTokens(pair);
    })
    .join('&');
}

/** Redacts secret user information, queries, and fragments in URLs within a string. */
export function redactedText(text: string): string {
  return withoutTokens(text)
    .replaceAll(/\/\/[^/?#\s@]*@/g, `//${redacted}@`)
    .replaceAll(/([?#;])([^\s?#"'<>]+)/g, (_, mark: string, query: string) => mark + redactedQuery(query));
}

/** Redacts JSON Web Tokens (RFC 7519) and bearer tokens anywhere in a string. */
export function withoutTokens(text: string): string {
  return text
    .replaceAll(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, redacted)
    .replaceAll(/\b(bearer) +[\w+/=.~-]{8,}/gi, (_, scheme: string) => `${scheme} ${redacted}`);
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
