/** JSON with a space after each comma and colon, for human-readable lines. */
import { fieldJson } from '@sluice/base';

/** Formats any value. Values that JSON cannot represent become strings. */
export function spacedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return fieldJson(value);
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`);
  return `{${members.join(', ')}}`;
}
