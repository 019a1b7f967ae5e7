/** JSON of log fields, which can contain any value. */
import type { LogFields } from './logger.ts';

/**
 * Serializes any value without throwing. Big integers become strings, circular references `"[Circular]"`, and unreadable values, such as an
 * object whose `toJSON` throws, `"[unserializable]"`.
 */
export function fieldJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return replacedJson(value);
  }
}

/** Serializes any value with a space after each comma and colon, for human-readable lines. */
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

/** Serializes fields as members of an object, without braces. Returns an empty string without fields. Invalid fields do not affect the others. */
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
