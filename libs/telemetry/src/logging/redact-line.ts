/** Redacts secrets in lines of the log tail. The log itself is written as configured. */
import { isArray, isObject, isSecretField, isSecretOfRequest, redacted, redactedText, type Json } from '@sluice/base';

/** Matches a name with its value in text that is not complete JSON: `token=x`, `"X-Api-Key": ["x"`. */
const pairs = /(?<![\w.-])([\w.-]+)("? ?[=:] ?\[?)("(?:[^"\\]|\\.)*"?|[^\s",;&\]}]+)/g;

/** Access log fields that contain header fields. */
const heads: ReadonlySet<string> = new Set(['headers', 'resp_headers']);

/** Redacts a line: fields with secret names, and secrets in URLs. Returns a line without secrets unchanged. */
export function redactedLine(line: string): string {
  // In the console format, the line ends with the fields as JSON.
  const start = line.indexOf('{');
  if (start < 0) return redactedWords(line);
  const before = line.slice(0, start);
  const fields = line.slice(start);
  return (before === '' ? '' : redactedWords(before)) + (redactedJson(fields) ?? redactedWords(fields));
}

/** Redacts JSON. Returns undefined if the text is not JSON or is nested too deep. */
function redactedJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const shown = withoutSecrets(value, isSecretField);
    return shown === value ? text : JSON.stringify(shown);
  } catch {
    return undefined;
  }
}

/** Returns the same value if there are no secrets, so that number formats are preserved. */
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

/** Redacts all strings in a secret value. Numbers and booleans (`tokens: 3`) are not secret. */
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
