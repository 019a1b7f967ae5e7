/**
 * One declaration per option: it gives the TypeScript type (`Options<typeof config>`), the check of what arrives (ajv)
 * and the JSON Schema with its help text (`sluice schema`). Every option is optional and `null` means absent, as
 * clients of the reference expect; unknown keys are errors.
 */
import type { Static, TProperties, TSchema } from 'typebox';
import type { Namespace } from '../modules/namespace.ts';
import { Type } from './type.ts';
import type { Json } from '@sluice/base';

/** Keyword of our schemas that marks a value as a module: namespace, and the key that names it if it is inline. */
export const moduleKeyword = 'x-module';

/** The value of {@link moduleKeyword}. */
export interface ModuleReference {
  readonly namespace: string;
  /** `inline`: an object with its name in `key`. `map`: keys are names. `sets`: an array of maps. */
  readonly kind: 'inline' | 'map' | 'sets';
  readonly key?: string;
}

/** The type of the options that a schema declares. */
export type Options<S extends TSchema> = Static<S>;

/** Extra JSON Schema keywords of an option, such as `default`, `minimum`, `enum`, `examples`. */
export interface Extra {
  readonly [keyword: string]: unknown;
}

/** An option that may be absent or `null`. */
function optional<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** The options of a module or of a structure: an object without unknown keys. `@id` is allowed everywhere. */
export function options<P extends TProperties>(properties: P, extra: Extra = {}) {
  return Type.Object(
    { ...properties, '@id': Type.Optional(Type.Union([Type.String(), Type.Number()])) },
    { ...extra, additionalProperties: false },
  );
}

/** A text. */
export function string(help: string, extra: Extra = {}) {
  return optional(Type.String({ description: help, ...extra }));
}

/** A text of a closed list. */
export function choice<const T extends string>(help: string, values: readonly T[], extra: Extra = {}) {
  return optional(Type.Unsafe<T>({ type: 'string', enum: [...values], description: help, ...extra }));
}

/** A whole number. */
export function integer(help: string, extra: Extra = {}) {
  return optional(Type.Integer({ description: help, ...extra }));
}

/** Any number. */
export function number(help: string, extra: Extra = {}) {
  return optional(Type.Number({ description: help, ...extra }));
}

/** True or false. */
export function boolean(help: string, extra: Extra = {}) {
  return optional(Type.Boolean({ description: help, ...extra }));
}

/** A duration: whole nanoseconds, or text such as `1h30m`. Read it with `parseDuration`. */
export function duration(help: string, extra: Extra = {}) {
  return optional(
    Type.Union([Type.Integer(), Type.String()], {
      description: `${help} Nanoseconds, or a string such as "1m30s".`,
      ...extra,
    }),
  );
}

/** A value that may be a text with placeholders where a number is meant, such as a status code. */
export function weakString(help: string, extra: Extra = {}) {
  return optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: help, ...extra }));
}

/** A list of values of one kind. */
export function list<S extends TSchema>(help: string, item: S, extra: Extra = {}) {
  return optional(Type.Array(item, { description: help, ...extra }));
}

/** An element that may be `null`. */
export function orNull<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** A list of texts. */
export function strings(help: string, extra: Extra = {}) {
  return optional(Type.Array(Type.String(), { description: help, ...extra }));
}

/** A list of whole numbers. */
export function integers(help: string, extra: Extra = {}) {
  return optional(Type.Array(Type.Integer(), { description: help, ...extra }));
}

/** An object whose keys the user chooses. */
export function map<S extends TSchema>(help: string, value: S, extra: Extra = {}) {
  return optional(Type.Record(Type.String(), value, { description: help, ...extra }));
}

/** Options that are a map themselves, such as those of `vars`: any keys, values of one kind. */
export function mapOptions<S extends TSchema>(help: string, value: S, extra: Extra = {}) {
  return Type.Record(Type.String(), value, { description: help, ...extra });
}

/** Options that are a list themselves, such as those of `host`. */
export function listOptions<S extends TSchema>(help: string, item: S, extra: Extra = {}) {
  return Type.Array(item, { description: help, ...extra });
}

/** A text that must be there, for lists and maps of texts. */
export function text(extra: Extra = {}) {
  return Type.String({ ...extra });
}

/** Any JSON that must be there, for lists and maps of anything. */
export function anything(extra: Extra = {}) {
  return Type.Unsafe<Json>(extra);
}

/** Header fields: name -> list of values. */
export function headerMap(help: string, extra: Extra = {}) {
  return map(help, Type.Union([Type.Array(Type.String()), Type.Null()]), extra);
}

/** A structure made by {@link options}, or any other schema, as an option. */
export function structure<S extends TSchema>(help: string, schema: S, extra: Extra = {}) {
  return optional(Type.Unsafe<Static<S>>({ ...schema, description: help, ...extra }));
}

/** Any JSON. */
export function json(help: string, extra: Extra = {}) {
  return Type.Optional(Type.Unsafe<Json>({ description: help, ...extra }));
}

function reference(help: string, type: 'object' | 'array', value: ModuleReference, extra: Extra) {
  return { description: help, type, [moduleKeyword]: value, ...extra };
}

/** A module whose name stands in its own object, at `key`. Unlike other options it cannot be `null`, as in the reference. */
export function inlineModule(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  return Type.Optional(
    Type.Unsafe<{ readonly [key: string]: Json }>(
      reference(help, 'object', { namespace: of.id, kind: 'inline', key }, extra),
    ),
  );
}

/** A list of modules whose names stand in their own objects, at `key`. */
export function inlineModules(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  const item = Type.Unsafe<{ readonly [key: string]: Json }>(
    reference('', 'object', { namespace: of.id, kind: 'inline', key }, {}),
  );
  return optional(Type.Array(item, { description: help, ...extra }));
}

/** A map of modules by names that the user chooses; which module it is stands in its own object, at `key`. */
export function inlineModuleMap(help: string, of: Namespace<unknown>, key: string, extra: Extra = {}) {
  const value = Type.Unsafe<{ readonly [key: string]: Json }>(
    reference('', 'object', { namespace: of.id, kind: 'inline', key }, {}),
  );
  return map(help, value, extra);
}

/** A module map: module name -> its options. */
export function moduleMap(help: string, of: Namespace<unknown>, extra: Extra = {}) {
  return optional(
    Type.Unsafe<{ readonly [name: string]: Json }>(reference(help, 'object', { namespace: of.id, kind: 'map' }, extra)),
  );
}

/** A list of module maps, such as matcher sets. */
export function moduleSets(help: string, of: Namespace<unknown>, extra: Extra = {}) {
  type Sets = readonly { readonly [name: string]: Json }[];
  return optional(Type.Unsafe<Sets>(reference(help, 'array', { namespace: of.id, kind: 'sets' }, extra)));
}
