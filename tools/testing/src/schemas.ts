/** Generates arbitrary schemas with the keywords of option declarations, and values that conform or almost conform to them. */
import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

const key = fc.constantFrom('a', 'b', 'cd', '@id', 'a\nb');
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 2.5, '', 'a', 'once'),
  fc.integer(),
  fc.double(),
  fc.string({ maxLength: 3 }),
);
const anything = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar, { maxKeys: 3 }));

/** Generates any schema, nested a few levels deep. */
export const anySchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => {
  const inner = tie('schema');
  const properties = fc.dictionary(key, inner, { maxKeys: 3 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ type: fc.constantFrom('object', 'string', 'number', 'null', 'array', 'integer', 'boolean') }),
      fc.record({ type: fc.constantFrom(['string', 'null'], ['array', 'integer']) }),
      fc.record({ type: fc.constant('string'), enum: fc.constant(['a', 'once']) }),
      fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -3, max: 3 }) }),
      fc.record({ maximum: fc.integer({ min: -3, max: 9 }), description: fc.constant('A number.') }),
      fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('array'), items: inner }),
      fc.record({ type: fc.constant('object'), patternProperties: fc.record({ '^.*$': inner }) }),
      fc.record(
        {
          type: fc.constant('object'),
          properties,
          additionalProperties: fc.oneof(fc.boolean(), inner),
          required: fc.uniqueArray(key, { maxLength: 2 }),
        },
        { requiredKeys: ['type', 'properties'] },
      ),
    ),
  };
}).schema;

/** Generates values that conform to a schema, or that violate it only in a nested part. */
export function valueNear(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: wanted(schema) }, { weight: 1, arbitrary: anything });
}

function wanted(schema: Schema): fc.Arbitrary<unknown> {
  const { anyOf, items, properties, patternProperties, type } = schema;
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map(valueNear));
  if (items !== undefined) return fc.array(valueNear(items as Schema), { maxLength: 3 });
  const free = (patternProperties as Record<string, Schema> | undefined)?.['^.*$'];
  if (free !== undefined) return fc.dictionary(key, valueNear(free), { maxKeys: 3 });
  if (properties !== undefined) {
    const each = Object.entries(properties as Record<string, Schema>).map(([name, inner]) => [name, valueNear(inner)]);
    const known = fc.record(Object.fromEntries(each) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
    return fc.oneof(
      { weight: 5, arbitrary: known },
      fc.tuple(known, key).map(([value, name]) => ({ ...value, [name]: 1 })),
    );
  }
  const first = Array.isArray(type) ? (type[0] as string) : type;
  if (first === 'string') return fc.string({ maxLength: 3 });
  if (first === 'integer') return fc.integer({ min: -9, max: 12 });
  if (first === 'boolean') return fc.boolean();
  return anything;
}
