/** Validates options against the schema of a module, with readable error messages. */
import { createRequire } from 'node:module';
import type * as AjvPackage from 'ajv';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import {
  closest,
  isArray,
  isObject,
  kindOf,
  type Json,
  formatWhere,
  insertedBy,
  spliceOf,
  configError,
} from '@sluice/base';
import type { ModuleDescriptor } from '../modules/descriptor.ts';
import { compile, type Fit } from './fit.ts';
import { moduleKeyword } from './options.ts';

const require = createRequire(import.meta.url);
const compiled = new WeakMap<object, ValidateFunction>();
const fitOf = new WeakMap<object, Fit>();
const elementwise = new WeakMap<object, boolean>();
let ajv: Ajv | null = null;

/** Validates options with compiled checks of this package, or with ajv if the schema uses an unsupported keyword. */
function fits(schema: object, config: Json): boolean {
  let fit = fitOf.get(schema);
  if (fit === undefined) {
    fit = compile(schema) ?? ((value) => validatorOf(schema)(value));
    fitOf.set(schema, fit);
  }
  return fit(config);
}

/** Compiles a schema with ajv on first use. */
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
    // Reject `Infinity`, which JSON can't represent. ajv accepts it unless this is set.
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
 * If `config` does not match the schema, throws an error with the configuration path and status 400.
 *
 * `passed` contains options that were validated earlier. If a long list in `config` shares elements with `passed`, those elements are not
 * validated again.
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
  // The options are invalid, so use ajv to find the reason and the path.
  const validate = validatorOf(schema);
  if (validate(config)) return;
  throw explain(validate.errors ?? [], typeof where === 'string' ? where : where(), descriptor.id);
}

/**
 * Validates values other than module options, such as a file that a command reads. `what` names the value in messages. Errors for unknown
 * keys suggest a similar key.
 */
export function checkValue(schema: object, value: Json, what: string): void {
  if (fits(schema, value)) return;
  const validate = validatorOf(schema);
  if (!validate(value)) throw explain(validate.errors ?? [], '', what, maxDistance);
}

/** Maximum edit distance of a suggested key. */
const maxDistance = 2;

/** Minimum length of a list for skipping elements that were already validated. Shorter lists are always validated completely. */
const longList = 32;

/** Removes already validated elements from long lists. The result is valid if and only if the entire configuration is valid. */
function withoutKnown(config: Json, passed: Json | undefined): Json {
  if (isArray(config)) {
    if (config.length < longList || !isArray(passed)) return config;
    return insertedBy(spliceOf(passed, config), passed, config);
  }
  if (!isObject(config) || !isObject(passed)) return config;
  const rest: Record<string, Json> = { ...config };
  for (const [key, value] of Object.entries(rest)) {
    if (typeof value === 'object' && value !== null && key !== '__proto__')
      rest[key] = withoutKnown(value, passed[key]);
  }
  return rest;
}

/** Schema keywords that apply to a list as a whole, or to elements by index. */
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

/**
 * Reports whether a schema contains a whole-list keyword at any depth. An option with the same name as a keyword also counts. This only
 * causes a complete validation.
 */
function judgesLists(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, inner]) => wholeListKeywords.has(key) || (key === 'items' && Array.isArray(inner)) || judgesLists(inner),
  );
}

/** Reports whether a schema validates list elements only one by one, and never a list as a whole. */
function judgesElements(schema: object): boolean {
  let judges = elementwise.get(schema);
  if (judges === undefined) {
    judges = !judgesLists(schema);
    elementwise.set(schema, judges);
  }
  return judges;
}

/**
 * Selects the deepest validation error, which is usually the cause. An invalid optional value produces two errors, one for its type and one
 * for `null`. Only the error for its type is relevant.
 *
 * If a value can have several types, the errors for the type in use are relevant.
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

/** Suggests a known key that is similar to an unknown key. The edit distance is at most `wrong`. */
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
      return `${error.message ?? 'does not match'}, but is ${shown}`;
  }
}
