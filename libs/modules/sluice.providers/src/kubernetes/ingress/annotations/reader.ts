/** Reads the annotations of an Ingress and collects warnings. */
import { compileRegExp, messageOf, SluiceError } from '@sluice/base';
import type { Ingress } from '../objects.ts';
import { annotationTable, type AnnotationName, type AnnotationSpec } from './table.ts';

/** Error thrown for an Ingress that can't be served safely. All of its paths then respond with 503. */
export class RefusedError extends SluiceError {
  constructor(message: string) {
    super('ERR_PROVIDER_OBJECT', message);
  }
}

const disabled: ReadonlySet<string> = new Set(['', 'false', 'off', 'no', '0']);

export class Annotations {
  readonly warnings: string[] = [];
  readonly #values = new Map<string, string>();

  constructor({ metadata }: Ingress, prefix: string) {
    for (const [key, value] of Object.entries(metadata.annotations ?? {}))
      if (key.startsWith(`${prefix}/`)) this.#values.set(key.slice(prefix.length + 1), value.trim());
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  text(name: AnnotationName): string | undefined {
    return this.#values.get(name) || undefined;
  }

  flag(name: AnnotationName): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === 'true' || value === 'on') return true;
    if (value !== 'false' && value !== 'off') this.warn(name, `expected "true" or "false", not ${quoted(value)}`);
    return value === 'false' || value === 'off' ? false : undefined;
  }

  /** Returns the value as a non-negative integer. */
  integer(name: AnnotationName): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,9}$/.test(value)) return Number(value);
    this.warn(name, `expected a number, not ${quoted(value)}`);
    return undefined;
  }

  list(name: AnnotationName): readonly string[] {
    const entries = (this.text(name) ?? '').split(',').map((each) => each.trim());
    return entries.filter((each) => each !== '');
  }

  word<T extends string>(name: AnnotationName, words: readonly T[]): T | undefined {
    const value = this.text(name);
    const found = words.find((each) => each.toLowerCase() === value?.toLowerCase());
    if (value !== undefined && found === undefined)
      this.warn(name, `expected ${words.join(', ')}, not ${quoted(value)}`);
    return found;
  }

  /** Returns the value as an HTTP token, such as a field name or a cookie name. */
  token(name: AnnotationName): string | undefined {
    const text = this.text(name);
    if (text === undefined || /^[\w-]+$/.test(text)) return text;
    this.warn(name, `${quoted(text)} is not a valid name`);
    return undefined;
  }

  /** Returns the value as a regular expression, or `null` if it is invalid. */
  pattern(name: AnnotationName): string | null | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      compileRegExp(text);
      return text;
    } catch (error) {
      this.warn(name, messageOf(error));
      return null;
    }
  }

  warn(name: string, message: string): void {
    const text = `${name}: ${message}`;
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  refuse(name: AnnotationName, message: string): never {
    throw new RefusedError(`${name}: ${message}`);
  }

  /** Adds warnings about unknown and unsupported annotations. */
  warnUnsupported(): void {
    for (const [name, value] of this.#values) {
      const spec: AnnotationSpec | undefined = Object.hasOwn(annotationTable, name)
        ? annotationTable[name as AnnotationName]
        : undefined;
      if (spec === undefined) this.warn(name, 'unknown annotation');
      else if (spec.support === 'no' && !disabled.has(value.toLowerCase()))
        this.warn(name, `not supported; ${spec.counterpart}`);
    }
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
