/** Keeps secrets out of what is recorded: they are taken out before a record leaves the thread that served the request. */
import type { HeaderMap } from '@sluice/http1';
import { isSecretField, redacted } from '../explain/redact.ts';

/** Longest value of a header field that is kept, and most fields of one head. */
const longestValue = 1024;
const mostFields = 100;

/** Names of fields and parameters that carry secrets, beyond those of explanations. */
const moreSecrets = /session|sess_?id|^sid$|signature|^sig$|jwt|otp|^code$|^state$|nonce|^pin$|bearer|^key$|csrf|xsrf/i;

/** Whether the value under a name is a secret. */
function isSecretName(name: string): boolean {
  return isSecretField(name.toLowerCase()) || moreSecrets.test(name);
}

/** A query without the values of parameters that are secrets; names are judged as they mean, however they are escaped. */
export function redactedQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      return equals >= 0 && isSecretName(unescaped(name)) ? `${name}=${redacted}` : pair;
    })
    .join('&');
}

/** A text that may have URLs in it: without their users, and the secrets of their queries and fragments. */
export function redactedText(text: string): string {
  return text
    .replaceAll(/\/\/[^/?#\s@]*@/g, `//${redacted}@`)
    .replaceAll(/([?#;])([^\s?#"'<>]*=[^\s?#"'<>]*)/g, (_, mark: string, query: string) => mark + redactedQuery(query));
}

/** Header fields by lower-case name, without secrets. */
export function redactedHeaders({ names, values }: HeaderMap): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [i, name] of names.slice(0, mostFields).entries()) {
    const value = values[i] ?? '';
    const shown = isSecretName(name) ? redacted : redactedText(value.slice(0, longestValue).toWellFormed());
    if (Object.hasOwn(fields, name)) fields[name]?.push(shown);
    else Object.defineProperty(fields, name, { value: [shown], enumerable: true, writable: true, configurable: true });
  }
  return fields;
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
