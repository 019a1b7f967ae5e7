/**
 * JSON Schema builders with TypeBox's types but without its code. Each thread would otherwise load 370 files at startup (65 ms of CPU
 * time).
 *
 * The builders create plain JSON Schema. The types exist only at compile time.
 */
import type { Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Integer' | 'Null' | 'Number' | 'Object' | 'Optional' | 'Record' | 'String' | 'Union' | 'Unsafe'
>;

type Schema = Readonly<Record<string, unknown>>;

const optionals = new WeakSet<Schema>();

const builders = {
  Array: (items: Schema, extra: Schema = {}): Schema => ({ ...extra, type: 'array', items }),
  Boolean: (extra: Schema = {}): Schema => ({ ...extra, type: 'boolean' }),
  Integer: (extra: Schema = {}): Schema => ({ ...extra, type: 'integer' }),
  Null: (extra: Schema = {}): Schema => ({ ...extra, type: 'null' }),
  Number: (extra: Schema = {}): Schema => ({ ...extra, type: 'number' }),
  Object: (properties: Readonly<Record<string, Schema>>, extra: Schema = {}): Schema => {
    const required = Object.entries(properties).flatMap(([key, schema]) => (optionals.has(schema) ? [] : [key]));
    return { ...extra, type: 'object', ...(required.length > 0 ? { required } : {}), properties };
  },
  Optional: (schema: Schema): Schema => {
    const copy = { ...schema };
    optionals.add(copy);
    return copy;
  },
  Record: (_key: Schema, value: Schema, extra: Schema = {}): Schema => ({
    ...extra,
    type: 'object',
    patternProperties: { '^.*$': value },
  }),
  String: (extra: Schema = {}): Schema => ({ ...extra, type: 'string' }),
  Union: (anyOf: readonly Schema[], extra: Schema = {}): Schema => ({ ...extra, anyOf }),
  Unsafe: (schema: Schema): Schema => ({ ...schema }),
};

export const Type = builders as unknown as Builders;
