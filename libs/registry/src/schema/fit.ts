/**
 * Validates options quickly, without error messages, using closures for the few keywords in option declarations.
 *
 * The result is identical to that of ajv, which a test verifies for all schemas. Loading ajv takes 120 ms and 30 MB, so it is loaded only
 * for invalid options and other keywords. ADR 17 compares this with code that ajv generates at build time.
 */
import { isArray, type Json, itemAt } from '@sluice/base';

export type Fit = (value: unknown) => boolean;

type Schema = Readonly<Record<string, unknown>>;
type Keyword = (wanted: never, schema: Schema) => Fit | null;

/** Schema annotations that don't affect validation. */
const notes: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', '$comment', 'x-module']);

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports whether a value is a finite number. JSON can't represent other numbers, so they match no type and limits don't apply to them. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const types: Readonly<Record<string, Fit>> = {
  object: isPlainObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const always: Fit = () => true;

const keywords: Readonly<Record<string, Keyword>> = {
  type: (wanted: string | readonly string[]) => {
    if (typeof wanted === 'string') return types[wanted] ?? null;
    const all = wanted.map((each) => types[each]);
    return all.includes(undefined) ? null : oneOf(all as Fit[]);
  },
  enum: (wanted: readonly Json[]) => {
    if (wanted.some((each) => typeof each === 'object' && each !== null)) return null;
    return (value) => wanted.includes(value as Json);
  },
  minimum: (min: number) => (value) => !isNumber(value) || value >= min,
  maximum: (max: number) => (value) => !isNumber(value) || value <= max,
  anyOf: (wanted: readonly unknown[]) => {
    const all = compileAll(wanted);
    return all === null ? null : oneOf(all);
  },
  items: (wanted: unknown) => {
    const fits = isArray(wanted as Json) ? null : compile(wanted);
    return fits === null ? null : (value) => !Array.isArray(value) || value.every((item) => fits(item));
  },
  required: (wanted: readonly string[]) => (value) =>
    !isPlainObject(value) || wanted.every((key) => value[key] !== undefined),
  properties: (wanted: Schema) => {
    const names = propertyNames(wanted);
    const all = compileAll(names.map((name) => wanted[name]));
    if (all === null) return null;
    return (value) =>
      !isPlainObject(value) ||
      names.every((name, index) => value[name] === undefined || itemAt(all, index)(value[name]));
  },
  patternProperties: (wanted: Schema) => {
    const patterns = Object.keys(wanted).map((pattern) => new RegExp(pattern, 'u'));
    const all = compileAll(Object.values(wanted));
    if (all === null) return null;
    return (value) =>
      !isPlainObject(value) ||
      Object.keys(value).every((key) =>
        patterns.every((pattern, index) => !pattern.test(key) || itemAt(all, index)(value[key])),
      );
  },
  additionalProperties: (wanted: unknown, { properties = {}, patternProperties = {} }: Schema) => {
    const fits = compile(wanted);
    if (fits === null) return null;
    const known = new Set(propertyNames(properties as Schema));
    const patterns = Object.keys(patternProperties as Schema).map((pattern) => new RegExp(pattern, 'u'));
    return (value) =>
      !isPlainObject(value) ||
      Object.keys(value).every(
        (key) => known.has(key) || patterns.some((pattern) => pattern.test(key)) || fits(value[key]),
      );
  },
};

/** Compiles a schema to a validation function. Returns `null` if the schema uses an unsupported keyword. */
export function compile(schema: unknown): Fit | null {
  if (typeof schema === 'boolean') return schema ? always : () => false;
  if (!isPlainObject(schema)) return null;
  const parts: Fit[] = [];
  for (const [name, wanted] of Object.entries(schema)) {
    if (notes.has(name) || wanted === undefined) continue;
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    const fit = keyword?.(wanted as never, schema) ?? null;
    if (fit === null) return null;
    parts.push(fit);
  }
  const [only, ...others] = parts;
  if (only === undefined) return always;
  return others.length === 0 ? only : (value) => parts.every((part) => part(value));
}

function compileAll(schemas: readonly unknown[]): Fit[] | null {
  const all = schemas.map(compile);
  return all.includes(null) ? null : (all as Fit[]);
}

function oneOf(all: readonly Fit[]): Fit {
  return (value) => all.some((each) => each(value));
}

/** Returns the property names in a schema. `__proto__` is never a property of a schema. */
function propertyNames(properties: Schema): string[] {
  return Object.keys(properties).filter((name) => name !== '__proto__');
}
