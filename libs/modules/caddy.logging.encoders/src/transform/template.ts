/** Templates for the `transform` encoder, compiled once. */
import { compileTemplate, fieldJson, resolveGlobal, type Accessor, type Template } from '@sluice/base';

type Fields = Readonly<Record<string, unknown>>;

/** A step in a field path: a key of an object or an index into a list. */
interface Step {
  readonly key: string;
  /** List index from a key such as `[0]`, otherwise -1. */
  readonly index: number;
}

/** Template for the Common Log Format. `{common_log}` expands to this template. */
export const commonLog =
  '{request>remote_ip} - {user_id} [{ts}] "{request>method} {request>uri} {request>proto}" {status} {size}';

export interface TemplateOptions {
  /** Text to write for missing and empty values. */
  readonly placeholder: string;
  /** True to write strings without JSON escapes. */
  readonly unescape: boolean;
}

/**
 * Compiles a template. A placeholder can contain several field paths, separated by `:`. The first path that has a value determines the
 * output.
 */
export function compileLine(text: string, { placeholder, unescape }: TemplateOptions): Template<Fields> {
  const resolve = (name: string): Accessor<Fields> => {
    const read = resolveGlobal(name) ?? readFirst(name);
    return (fields) => textOf(read(fields), unescape) || placeholder;
  };
  return compileTemplate(text, resolve, 'keep');
}

function readFirst(name: string): Accessor<Fields> {
  const paths = name.split(':').map((path) => path.split('>').map(stepOf));
  return (fields) => {
    for (const path of paths) {
      const value = valueAt(fields, path);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function stepOf(key: string): Step {
  return { key, index: /^\[\+?\d+\]$/.test(key) ? Number(key.slice(1, -1)) : -1 };
}

function valueAt(fields: Fields, path: readonly Step[]): unknown {
  let value: unknown = fields;
  for (const { key, index } of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = value[index];
    else value = Object.hasOwn(value, key) ? (value as Fields)[key] : undefined;
  }
  return value;
}

/** Matches strings that need escaping in JSON. */
const needsEscape = /["\\\p{Cc}\p{Cs}]/u;

/** Converts a value to text. As in Caddy's plugin, escaped quotes lose their backslash even if `unescape` is false. */
function textOf(value: unknown, unescape: boolean): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && !needsEscape.test(value)) return value;
  const text = typeof value !== 'string' ? fieldJson(value) : unescape ? value : JSON.stringify(value).slice(1, -1);
  return text.replaceAll(String.raw`\"`, '"');
}
