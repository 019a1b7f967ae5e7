/** Reference documentation of options, generated from their schema: description, type, and hosted modules. */
import { idKey, isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { ModuleReference } from '../schema/options.ts';
import { plain, referenceOf, tidySchema, type Tidying } from '../schema/tidy.ts';

/** An option, or an element of a list or map. */
export interface OptionReference {
  /** Option key. Empty for the elements of module options that form a list or a map. */
  readonly name: string;
  readonly help: string;
  /** Type as text: `string`, `list of integers`. */
  readonly type: string;
  readonly default: Json | undefined;
  /** Allowed values; empty if any value is allowed. */
  readonly values: readonly Json[];
  /** Modules that the option can host. */
  readonly modules: ModuleReference | null;
  /** Options nested in this option, or in each of its elements. */
  readonly options: readonly OptionReference[];
}

const tidying: Tidying = { reference: (_, schema) => schema, id: { type: ['string', 'number'] } };

/** Singular and plural names of JSON types. */
const words: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['string', 'strings'],
  integer: ['integer', 'integers'],
  number: ['number', 'numbers'],
  boolean: ['boolean', 'booleans'],
  object: ['object', 'objects'],
  array: ['list', 'lists'],
};

const durationHelp = / Nanoseconds, or a string such as "1m30s"\.$/;

export function describeOptions(config: object): OptionReference {
  return describe('', tidySchema(plain(config), tidying) as JsonObject);
}

function describe(name: string, schema: JsonObject): OptionReference {
  const help = textOf(own(schema, 'description'));
  const isDuration = durationHelp.test(help);
  return {
    name,
    help: help.replace(durationHelp, ''),
    type: isDuration ? 'duration' : typeOf(schema)[0],
    default: own(schema, 'default'),
    values: valuesOf(schema),
    modules: modulesOf(schema),
    options: fieldsOf(schema),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the element schema of a list or map. */
function elementOf(schema: JsonObject): JsonObject | null {
  const element = own(schema, 'items') ?? own(schema, 'additionalProperties');
  return isObject(element) ? element : null;
}

function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const alternatives = own(schema, 'anyOf');
  return isArray(alternatives) ? alternatives.filter(isObject) : [];
}

function valuesOf(schema: JsonObject): readonly Json[] {
  const values = own(schema, 'enum');
  if (isArray(values)) return values;
  const element = elementOf(schema);
  return element === null ? [] : valuesOf(element);
}

function modulesOf(schema: JsonObject): ModuleReference | null {
  const found = referenceOf(schema);
  if (found !== null) return found;
  const element = elementOf(schema);
  return element === null ? null : modulesOf(element);
}

function fieldsOf(schema: JsonObject): readonly OptionReference[] {
  if (referenceOf(schema) !== null) return [];
  const properties = own(schema, 'properties');
  if (isObject(properties))
    return Object.entries(properties).flatMap(([key, value]) =>
      key === idKey || !isObject(value) ? [] : [describe(key, value)],
    );
  for (const inner of [elementOf(schema), ...alternativesOf(schema)]) {
    const fields = inner === null ? [] : fieldsOf(inner);
    if (fields.length > 0) return fields;
  }
  return [];
}

function typeOf(schema: JsonObject): readonly [one: string, several: string] {
  const reference = referenceOf(schema);
  if (reference !== null) return hostType(reference);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    const types = alternatives.map(typeOf);
    return [joined(types.map(([one]) => one)), joined(types.map(([, several]) => several))];
  }
  const type = own(schema, 'type');
  if (isArray(type)) {
    const known = type.filter((each) => each !== 'null').map((each) => wordsOf(each));
    return [joined(known.map(([one]) => one)), joined(known.map(([, several]) => several))];
  }
  const element = elementOf(schema);
  if (element === null) return wordsOf(type);
  const [one, several] = typeOf(element);
  if (type === 'array') return [`list of ${several}`, `lists of ${several}`];
  return [`object: name → ${one}`, `objects: name → ${one}`];
}

function wordsOf(type: Json | undefined): readonly [one: string, several: string] {
  return words[String(type)] ?? ['any JSON', 'any JSON'];
}

function joined(types: readonly string[]): string {
  const distinct = new Set(types);
  // Caddy also accepts a boolean where a number may be a string. The reference omits the boolean, because it has no use.
  if (['string', 'number'].every((each) => distinct.has(each))) distinct.delete('boolean');
  return [...distinct].join(' or ');
}

function hostType({ namespace, kind, key }: ModuleReference): readonly [one: string, several: string] {
  const one = namespace === '' ? 'app' : `${namespace} module`;
  if (kind === 'map') return [`object: name → ${one}`, `objects: name → ${one}`];
  if (kind === 'sets') return [`list of objects: name → ${one}`, `lists of objects: name → ${one}`];
  return [`${namespace} module, selected by \`${key}\``, `${namespace} modules, each selected by \`${key}\``];
}
