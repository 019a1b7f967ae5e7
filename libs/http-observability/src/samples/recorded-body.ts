/** Recorded form of request bodies: text without secrets. */
import { isArray, isObject, isSecretOfRequest, redacted, redactedQuery, redactedText, type Json } from '@sluice/base';

/** Text, or binary data. */
export type RecordedBody = string | { readonly base64: string };

const form = 'application/x-www-form-urlencoded';

/**
 * Returns the body as recorded; `null` if it is not recorded. Secrets are found by the names of JSON members and form fields. `allTypes`:
 * also record other data than text and JSON, in which secrets are not found.
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

/** Returns the JSON without secrets. A text without secrets stays unchanged, because its form may matter. */
function jsonWithoutSecrets(text: string): string | null {
  try {
    const value = JSON.parse(text) as Json;
    const shown = withoutSecrets(value);
    const before = JSON.stringify(value);
    const after = JSON.stringify(shown);
    return before === after ? text : after;
  } catch {
    // Secrets cannot be found in invalid JSON.
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
