/** Recorded form of request bodies, with secrets removed. */
import { isArray, isObject, isSecretOfRequest, redacted, redactedQuery, redactedText, type Json } from '@sluice/base';

/** A recorded body: a string, or binary data in Base64. */
export type RecordedBody = string | { readonly base64: string };

const form = 'application/x-www-form-urlencoded';

/**
 * Returns the recorded form of a body, or `null` if the body is not recorded. The names of JSON members and form fields determine which
 * values are secrets. If `allTypes` is true, also records data other than text and JSON, in which secrets can't be detected.
 */
export function recordedBody(content: Buffer, contentType: string, allTypes: boolean): RecordedBody | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = textOf(content);
  if (text !== null) {
    if (type === 'application/json' || type.endsWith('+json')) return jsonWithoutSecrets(text);
    if (type === form) return redactedQuery(text);
    if (type.startsWith('text/')) return redactedText(text);
  }
  return allTypes ? { base64: content.toString('base64') } : null;
}

function textOf(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

/** Returns JSON text with secrets removed. If there are no secrets, returns the text unchanged, because its formatting may matter. */
function jsonWithoutSecrets(text: string): string | null {
  try {
    const value = JSON.parse(text) as Json;
    const shown = withoutSecrets(value);
    const before = JSON.stringify(value);
    const after = JSON.stringify(shown);
    return before === after ? text : after;
  } catch {
    // Don't record invalid JSON, because secrets in it can't be detected.
    return null;
  }
}

function withoutSecrets(value: Json): Json {
  if (typeof value === 'string') return redactedText(value);
  if (isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretOfRequest(name) ? redacted : withoutSecrets(inner)]),
  );
}
