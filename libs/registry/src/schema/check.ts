/** Checks options against the schema of their module, and says clearly what is wrong. */
import { createRequire } from 'node:module';
import type * as AjvPackage from 'ajv';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { closest, isArray, isObject, kindOf, type Json, formatWhere, spliceOf, configError } from '@sluice/base';
import type { ModuleDescriptor } from '../modules/descriptor.ts';
import { compile, type Fit } from './fit.ts';
import { moduleKeyword } from './options.ts';

const require = createRequire(import.meta.url);
const compiled = new WeakMap<object, ValidateFunction>();
const fitOf = new WeakMap<object, Fit>();
const elementwise = new WeakMap<object, boolean>();
let ajv: Ajv | null = null;

/** Whether options fit a schema: by our own closures, or by ajv where it has a keyword that they do not know. */
function fits(schema: object, config: Json): boolean {
  let fit = fitOf.get(schema);
  if (fit === undefined) {
    fit = compile(schema) ?? ((value) => validatorOf(schema)(value));
    fitOf.set(schema, fit);
  }
  return fit(config);
}

/** Compiles a schema for ajv on first use. */
function validatorOf(schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    ajv ??= makeAjv();
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

function makeAjv(): Ajv {
  const { Ajv: Constructor } = require('ajv') as typeof AjvPackage;
  const made = new Constructor({
    strict: false,
    // What is not strict would take Infinity for a number, which JSON has no value for.
    strictNumbers: true,
    allErrors: false,
    verbose: true,
    validateSchema: false,
    addUsedSchema: false,
  });
  made.addKeyword(moduleKeyword);
  return made;
}

/**
 * Throws a located error of status 400 where `config` is not what the module's schema says. Where earlier options are given
 * that passed, the elements that long lists share with them are not looked at again.
 */
export function checkOptions(
  descriptor: ModuleDescriptor,
  config: Json,
  where: string | (() => string),
  passed?: Json,
): void {
  const schema = descriptor.config;
  if (passed !== undefined && judgesElements(schema) && fits(schema, withoutKnown(config, passed))) return;
  if (fits(schema, config)) return;
  // It does not fit: ajv tells what is wrong, and where.
  const validate = validatorOf(schema);
  if (validate(config)) return;
  throw explain(validate.errors ?? [], typeof where === 'string' ? where : where(), descriptor.id);
}

/**
 * The same of other values than options of modules, such as a file that a command reads. `what` is what messages call it;
 * of a key that is not known they say which one was probably meant.
 */
export function checkValue(schema: object, value: Json, what: string): void {
  if (fits(schema, value)) return;
  const validate = validatorOf(schema);
  if (!validate(value)) throw explain(validate.errors ?? [], '', what, mostWrong);
}

/** Letters of a key that may be wrong where another one is suggested. */
const mostWrong = 2;

/** Lists shorter than this are checked whole. */
const longList = 32;

/** The options without those elements of long lists that are the same as before: it passes if the whole does. */
function withoutKnown(config: Json, passed: Json | undefined): Json {
  if (isArray(config)) {
    if (config.length < longList || !isArray(passed)) return config;
    const { start, inserted } = spliceOf(passed, config);
    return config.slice(start, start + inserted);
  }
  if (!isObject(config) || !isObject(passed)) return config;
  const rest: Record<string, Json> = { ...config };
  for (const key of Object.keys(rest)) {
    const value = rest[key] as Json;
    if (typeof value === 'object' && value !== null && key !== '__proto__')
      rest[key] = withoutKnown(value, passed[key]);
  }
  return rest;
}

/** What a schema says of a list as a whole, or of an element by its place. */
const wholeListKeywords: ReadonlySet<string> = new Set([
  'uniqueItems',
  'maxItems',
  'minItems',
  'contains',
  'maxContains',
  'minContains',
  'prefixItems',
  'unevaluatedItems',
]);

/** Whether there is such a keyword at any depth. An option of that name counts too: then all of the options is checked. */
function judgesLists(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, inner]) => wholeListKeywords.has(key) || (key === 'items' && Array.isArray(inner)) || judgesLists(inner),
  );
}

/** Whether a schema judges each element of a list by itself, and no list as a whole. */
function judgesElements(schema: object): boolean {
  let judges = elementwise.get(schema);
  if (judges === undefined) {
    judges = !judgesLists(schema);
    elementwise.set(schema, judges);
  }
  return judges;
}

/**
 * The error that goes deepest is the one the user means: an optional value fails its type and `null` in turn, and the
 * type is the news. Of values that may be of several types, what is wrong with the one that was written is.
 */
function explain(errors: readonly ErrorObject[], where: string, id: string, wrong = 0): Error {
  const depth = (error: ErrorObject): number => error.instancePath.split('/').length;
  const telling = errors.filter(
    (error) => error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.schema === 'null'),
  );
  const error = telling.toSorted((a, b) => depth(b) - depth(a) || typeLast(a) - typeLast(b))[0] ?? errors[0];
  if (error === undefined) return configError(where, `options do not match ${id}`);
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = joinWhere(where, formatWhere(at));
  const expected = errors
    .filter((other) => other.instancePath === error.instancePath && other.keyword === 'type' && other.schema !== 'null')
    .map((other) => String(other.schema));
  return configError(place, messageFor(error, id, expected) + suggestion(error, wrong));
}

function typeLast({ keyword }: ErrorObject): number {
  return keyword === 'type' ? 1 : 0;
}

function joinWhere(where: string, rest: string): string {
  if (where === '' || rest === '') return where + rest;
  return rest.startsWith('[') ? where + rest : `${where}.${rest}`;
}

function knownKeys({ parentSchema }: ErrorObject): readonly string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {}).filter((key) => key !== '@id');
}

/** Which key was probably meant by one that is not known; `wrong`: how many letters of it may be wrong. */
function suggestion(error: ErrorObject, wrong: number): string {
  const { additionalProperty: name = '' } = error.params as { readonly additionalProperty?: string };
  const near = wrong === 0 || name === '' ? null : closest(name, knownKeys(error), wrong);
  return near === null ? '' : `; did you mean ${near}?`;
}

function messageFor(error: ErrorObject, id: string, expected: readonly string[]): string {
  const data = error.data as Json | undefined;
  const shown = typeof data === 'object' ? kindOf(data) : `${kindOf(data)} (${JSON.stringify(data)?.slice(0, 60)})`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = knownKeys(error);
      const name = (error.params as { additionalProperty: string }).additionalProperty;
      return `unknown key ${JSON.stringify(name)} of ${id}; it has ${known.join(', ') || 'no options'}`;
    }
    case 'type':
      return `must be ${[...new Set(expected)].join(' or ')}, but is ${shown}`;
    case 'enum':
      return `must be one of ${(error.schema as Json[]).map((value) => JSON.stringify(value)).join(', ')}, but is ${shown}`;
    default:
      return `${error.message ?? 'does not fit'}, but is ${shown}`;
  }
}
