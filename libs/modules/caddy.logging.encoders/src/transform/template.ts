/** Templates of the `transform` encoder, compiled once. */
import { compileTemplate, fieldJson, resolveGlobal, type Accessor, type Template } from '@sluice/base';

type Fields = Readonly<Record<string, unknown>>;

/** One step of a path: a key of an object, or an index of a list. */
interface Step {
  readonly key: string;
  /** Index into a list, from a key such as `[0]`; otherwise -1. */
  readonly index: number;
}

/** The Common Log Format, as a template: the meaning of `{common_log}`. */
export const commonLog =
  '{request>remote_ip} - {user_id} [{ts}] "{request>method} {request>uri} {request>proto}" {status} {size}';

export interface TemplateOptions {
  /** Replaces missing and empty values. */
  readonly placeholder: string;
  /** True if strings are written without JSON escapes. */
  readonly unescape: boolean;
}

/** Compiles a template. Paths are separated by `:`, and the first one with a value is used. */
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

/** Matches strings that JSON escapes. */
const needsEscape = /["\\\p{Cc}\p{Cs}]/u;

/** Converts a value to text. Escaped quotes lose their backslash even without `unescape`, as in the plugin. */
function textOf(value: unknown, unescape: boolean): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && !needsEscape.test(value)) return value;
  const text = typeof value !== 'string' ? fieldJson(value) : unescape ? value : JSON.stringify(value).slice(1, -1);
  return text.replaceAll(String.raw`\"`, '"');
}
