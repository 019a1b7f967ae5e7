/** Formats JSON compactly: values that fit are written on one line. */
import { isArray, isObject, type Json } from '@sluice/base';

const width = 76;

/** Formats a JSON value. `indent` is the indentation of the value. */
export function compactJson(value: Json, indent = 0): string {
  const line = inOneLine(value);
  if (indent + line.length <= width || typeof value !== 'object' || value === null) return line;
  const inner = ' '.repeat(indent + 2);
  const parts = isArray(value)
    ? value.map((each) => compactJson(each, indent + 2))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${compactJson(each, indent + 2)}`);
  const [open, close] = isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function inOneLine(value: Json): string {
  if (isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${inOneLine(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
