/** Generates JSON documents for property-based tests. */
import fc from 'fast-check';
import type { Json } from '../../src/page/base/json.ts';

/** Object keys that occur in configurations, and keys that need escaping. */
const key = fc.oneof(
  fc.constantFrom('apps', 'routes', 'a/b', 'a~b', '0', '', '__proto__', 'é'),
  fc.string({ maxLength: 4 }),
);

export const documents: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, 'text', ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
