/** Keeps secrets out of the lines that the tail tells: the log itself is written as the configuration says. */
import { isArray, isObject, isSecretField, isSecretOfRequest, redacted, redactedText, type Json } from '@sluice/base';

/** A name with its value in a line that has no JSON, or only a part of it: `token=x`, `"X-Api-Key": ["x"`. */
const pairs = /(?<![\w.-])([\w.-]+)("? ?[=:] ?\[?)("(?:[^"\\]|\\.)*"?|[^\s",;&\]}]+)/g;

/** Fields of access logs that have header fields in them. */
const heads: ReadonlySet<string> = new Set(['headers', 'resp_headers']);

/** A line without the values of fields that are secrets by name, and without those of URLs; as it is where it has none. */
export function redactedLine(line: string): string {
  // The console format has its fields last, as JSON.
  const start = line.indexOf('{');
  if (start < 0) return redactedWords(line);
  const before = line.slice(0, start);
  const fields = line.slice(start);
  return (before === '' ? '' : redactedWords(before)) + (redactedJson(fields) ?? redactedWords(fields));
}

/** JSON without secrets; undefined where the text is not JSON, or is nested too deep. */
function redactedJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const shown = withoutSecrets(value, isSecretField);
    return shown === value ? text : JSON.stringify(shown);
  } catch {
    return undefined;
  }
}

/** The same value where there are none, so that numbers stay as they were written. */
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

/** Each text in the place of a secret; numbers and truth values (`tokens: 3`) tell none. */
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
