/** Serializes log fields, which can contain any JavaScript value, as JSON. */
import type { LogFields } from './logger.ts';

/**
 * Serializes any value as JSON without throwing. BigInts become strings, and circular references become `"[Circular]"`. Values that cannot
 * be serialized, such as an object whose `toJSON` throws, become `"[unserializable]"`.
 */
export function fieldJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return replacedJson(value);
  }
}

/** Serializes any value as JSON with a space after each comma and colon, for human-readable log lines. */
export function spacedFieldJson(value: unknown): string {
  try {
    return spaced(value);
  } catch {
    return spaced(JSON.parse(fieldJson(value)));
  }
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return fieldJson(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => isSerializable(member))
    .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

/**
 * Serializes fields as the members of a JSON object, without the enclosing braces. Returns an empty string if there are no fields. An
 * invalid field does not affect the other fields.
 */
export function fieldMembers(fields: LogFields): string {
  try {
    return JSON.stringify(fields).slice(1, -1);
  } catch {
    return Object.entries(fields)
      .filter(([, value]) => isSerializable(value))
      .map(([name, value]) => `${JSON.stringify(name)}:${fieldJson(value)}`)
      .join();
  }
}

function isSerializable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function replacedJson(value: unknown): string {
  const ancestors: unknown[] = [];
  try {
    return JSON.stringify(value, function replace(this: unknown, _name, inner: unknown) {
      if (typeof inner === 'bigint') return String(inner);
      if (typeof inner !== 'object' || inner === null) return inner;
      while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
      if (ancestors.includes(inner)) return '[Circular]';
      ancestors.push(inner);
      return inner;
    });
  } catch {
    return '"[unserializable]"';
  }
}
