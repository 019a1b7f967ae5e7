/**
 * Names that stand before secrets, and texts without those: one list for explanations, traces, the tail of the logs, and the
 * dashboard, whose page has this file as it is. So it imports nothing, and uses what browsers have.
 */

/** Stands for a secret. */
export const redacted = 'REDACTED';

/** Header fields whose values are secrets. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
]);

/** Names of options, of parameters and of fields of log lines whose values are secrets. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|(?:api|access|mac|private)[_-]?key|credential|(?:^|[._-])(?:auth|bearer|dsn|hmac)$/i;

/** Names that carry secrets in requests alone: elsewhere they are common words. */
const secretOfRequest =
  /session|sess_?id|^sid$|signature|^sig$|jwt|otp|^code$|^state$|nonce|^pin$|bearer|^key$|csrf|xsrf/i;

/** Whether an option of the configuration, or what a placeholder gives, is a secret by its name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Whether the values of a header field, or of an option that sets one, are secrets. */
export function isSecretField(name: string): boolean {
  return secretFields.has(name.toLowerCase()) || secretName.test(name);
}

/** Whether the value of a field or parameter of a recorded request is a secret. */
export function isSecretOfRequest(name: string): boolean {
  return isSecretField(name) || secretOfRequest.test(name);
}

/** A query without the values of parameters that are secrets; names are judged as they mean, however they are escaped. */
export function redactedQuery(query: string, isSecret: (name: string) => boolean = isSecretOfRequest): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      return equals >= 0 && isSecret(unescaped(name)) ? `${name}=${redacted}` : pair;
    })
    .join('&');
}

/** A text that may have URLs in it: without their users, and the secrets of their queries and fragments. */
export function redactedText(text: string): string {
  return text
    .replaceAll(/\/\/[^/?#\s@]*@/g, `//${redacted}@`)
    .replaceAll(/([?#;])([^\s?#"'<>]+)/g, (_, mark: string, query: string) => mark + redactedQuery(query));
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
