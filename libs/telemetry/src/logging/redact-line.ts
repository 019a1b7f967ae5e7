/** Redacts secrets in live log lines. The log output itself is not changed. */
import { isArray, isObject, isSecretField, isSecretOfRequest, redacted, redactedText, type Json } from '@sluice/base';

/** Matches a name-value pair in text that is not complete JSON: `token=x`, `"X-Api-Key": ["x"`. */
const pairs = /(?<![\w.-])([\w.-]+)("? ?[=:] ?\[?)("(?:[^"\\]|\\.)*"?|[^\s",;&\]}]+)/g;

/** Access log fields whose value is a set of HTTP headers. */
const heads: ReadonlySet<string> = new Set(['headers', 'resp_headers']);

/** Redacts fields that have secret names, and redacts secrets in URLs. If a line contains no secrets, returns it unchanged. */
export function redactedLine(line: string): string {
  // In the console format, a line ends with its fields as a JSON object.
  const start = line.indexOf('{');
  if (start < 0) return redactedWords(line);
  const before = line.slice(0, start);
  const fields = line.slice(start);
  return (before === '' ? '' : redactedWords(before)) + (redactedJson(fields) ?? redactedWords(fields));
}

/** Redacts a JSON string. Returns undefined if the text is not valid JSON or is nested too deeply. */
function redactedJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const shown = withoutSecrets(value, isSecretField);
    return shown === value ? text : JSON.stringify(shown);
  } catch {
    return undefined;
  }
}

/** Returns the value without secrets. If there are none, returns the original value, to preserve number formatting. */
function withoutSecrets(value: Json, isSecret: (name: string) => boolean): Json {
  if (typeof value === 'string') return redactedText(value);
  if (isArray(value)) {
    const items = value.map((item) => withoutSecrets(item, isSecret));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, each]) =>
      [
        name,
        isSecret(name) ? hidden(each) : withoutSecrets(each, heads.has(name) ? isSecretOfRequest : isSecret),
      ] as const,
  );
  return fields.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(fields);
}

/** Redacts all strings in a secret field. Numbers and booleans, such as `tokens: 3`, are not considered secret. */
function hidden(value: Json): Json {
  if (typeof value === 'string') return value === '' ? value : redacted;
  if (isArray(value)) return value.map(hidden);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hidden(each)]));
}

function redactedWords(text: string): string {
  return redactedText(text).replaceAll(pairs, (whole, name: string, between: string, value: string) => {
    if (!isSecretField(name)) return whole;
    return `${name}${between}${value.startsWith('"') ? `"${redacted}"` : redacted}`;
  });
}
