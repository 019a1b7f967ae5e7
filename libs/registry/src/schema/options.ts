/**
 * Declares options. One declaration provides the TypeScript type (`Options<typeof config>`), validation (ajv), and the JSON Schema with
 * help (`sluice schema`).
 *
 * All options are optional, and `null` is equivalent to an absent option, as Caddy's clients expect. Unknown keys are errors.
 */
import type { Static, TProperties, TSchema } from 'typebox';
import type { Namespace } from '../modules/namespace.ts';
import { Type } from './type.ts';
import type { Json } from '@sluice/base';

/**
 * Schema keyword that marks a value as a module. The value of the keyword contains the namespace. For inline modules, it also contains the
 * key of the module name.
 */
export const moduleKeyword = 'x-module';

/** Value of {@link moduleKeyword}. */
export interface ModuleReference {
  readonly namespace: string;
  /**
   * Form of the module reference. `inline`: an object with the module name in `key`. `map`: an object whose keys are module names. `sets`:
   * an array of such maps.
   */
  readonly kind: 'inline' | 'map' | 'sets';
  readonly key?: string;
}

export type Options<S extends TSchema> = Static<S>;

/** Additional JSON Schema keywords, such as `default`, `minimum`, `enum` and `examples`. */
export interface Extra {
  readonly [keyword: string]: unknown;
}

function optional<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Declares the options of a module or structure as an object that rejects unknown keys. `@id` is always allowed. */
export function options<P extends TProperties>(properties: P, extra: Extra = {}) {
  return Type.Object(
    { ...properties, '@id': Type.Optional(Type.Union([Type.String(), Type.Number()])) },
    { ...extra, additionalProperties: false },
  );
}

export function string(help: string, extra: Extra = {}) {
  return optional(Type.String({ description: help, ...extra }));
}

/** Declares a string with a fixed set of values. */
export function choice<const T extends string>(help: string, values: readonly T[], extra: Extra = {}) {
  return optional(Type.Unsafe<T>({ type: 'string', enum: [...values], description: help, ...extra }));
}

export function integer(help: string, extra: Extra = {}) {
  return optional(Type.Integer({ description: help, ...extra }));
}

export function number(help: string, extra: Extra = {}) {
  return optional(Type.Number({ description: help, ...extra }));
}

export function boolean(help: string, extra: Extra = {}) {
  return optional(Type.Boolean({ description: help, ...extra }));
}

/** Declares a duration: an integer in nanoseconds, or a string such as `1h30m`. `parseDuration` parses the value. */
export function duration(help: string, extra: Extra = {}) {
  return optional(
    Type.Union([Type.Integer(), Type.String()], {
      description: `${help} Nanoseconds, or a string such as "1m30s".`,
      ...extra,
    }),
  );
}

/** Declares a number or another scalar, such as a status code. It may also be given as a string with placeholders. */
export function weakString(help: string, extra: Extra = {}) {
  return optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: help, ...extra }));
}

/** Declares a list with elements of one type. */
export function list<S extends TSchema>(help: string, item: S, extra: Extra = {}) {
  return optional(Type.Array(item, { description: help, ...extra }));
}

/** Declares list elements that may be `null`. */
export function orNull<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function strings(help: string, extra: Extra = {}) {
  return optional(Type.Array(Type.String(), { description: help, ...extra }));
}

export function integers(help: string, extra: Extra = {}) {
  return optional(Type.Array(Type.Integer(), { description: help, ...extra }));
}

/** Declares an object whose keys users choose. */
export function map<S extends TSchema>(help: string, value: S, extra: Extra = {}) {
  return optional(Type.Record(Type.String(), value, { description: help, ...extra }));
}

/** Declares options that form a map, such as `vars`. The keys are arbitrary, and all values have one type. */
export function mapOptions<S extends TSchema>(help: string, value: S, extra: Extra = {}) {
  return Type.Record(Type.String(), value, { description: help, ...extra });
}

/** Declares options that form a list, such as those of the `host` matcher. */
export function listOptions<S extends TSchema>(help: string, item: S, extra: Extra = {}) {
  return Type.Array(item, { description: help, ...extra });
}

/** Declares a required string, for use as an element of a list or map. */
export function text(extra: Extra = {}) {
  return Type.String({ ...extra });
}

/** Declares a required JSON value of any type, for use as an element of a list or map. */
export function anything(extra: Extra = {}) {
  return Type.Unsafe<Json>(extra);
}

/** Declares header fields as a map from names to lists of values. */
export function headerMap(help: string, extra: Extra = {}) {
  return map(help, Type.Union([Type.Array(Type.String()), Type.Null()]), extra);
}

/** Declares an option with a given schema, for example one created by {@link options}. */
export function structure<S extends TSchema>(help: string, schema: S, extra: Extra = {}) {
  return optional(Type.Unsafe<Static<S>>({ ...schema, description: help, ...extra }));
}

/** Declares an option of any JSON type. */
export function json(help: string, extra: Extra = {}) {
  return Type.Optional(Type.Unsafe<Json>({ description: help, ...extra }));
}

function reference(help: string, type: 'object' | 'array', value: ModuleReference, extra: Extra) {
  return { description: help, type, [moduleKeyword]: value, ...extra };
}

/** Declares a module whose object contains its name under `key`. As in Caddy, and unlike other options, it can't be `null`. */
export function inlineModule(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  return Type.Optional(
    Type.Unsafe<{ readonly [key: string]: Json }>(
      reference(help, 'object', { namespace: of.id, kind: 'inline', key }, extra),
    ),
  );
}

/** Declares a list of modules. Each module's object contains its name under `key`. */
export function inlineModules(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  const item = Type.Unsafe<{ readonly [key: string]: Json }>(
    reference('', 'object', { namespace: of.id, kind: 'inline', key }, {}),
  );
  return optional(Type.Array(item, { description: help, ...extra }));
}

/** Declares a map of modules with user-chosen keys. Each module's object contains its name under `key`. */
export function inlineModuleMap(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  const value = Type.Unsafe<{ readonly [key: string]: Json }>(
    reference('', 'object', { namespace: of.id, kind: 'inline', key }, {}),
  );
  return map(help, value, extra);
}

/** Declares a module map, from module names to options. */
export function moduleMap(help: string, of: Namespace<unknown>, extra: Extra = {}) {
  return optional(
    Type.Unsafe<{ readonly [name: string]: Json }>(reference(help, 'object', { namespace: of.id, kind: 'map' }, extra)),
  );
}

/** Declares a list of module maps, such as matcher sets. */
export function moduleSets(help: string, of: Namespace<unknown>, extra: Extra = {}) {
  type Sets = readonly { readonly [name: string]: Json }[];
  return optional(Type.Unsafe<Sets>(reference(help, 'array', { namespace: of.id, kind: 'sets' }, extra)));
}
