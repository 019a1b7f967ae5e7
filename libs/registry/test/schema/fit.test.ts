import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { compile } from '../../src/schema/fit.ts';
import { anySchema, valueNear } from '@sluice/testing/schemas';

const ajv = new Ajv({ strict: false, strictNumbers: true, validateSchema: false, addUsedSchema: false });

describe('compile for option checks', () => {
  it('compile() accepts and rejects the same values as ajv for all schemas', () => {
    const both = anySchema.chain((schema) => fc.tuple(fc.constant(schema), valueNear(schema)));
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(both, ([schema, value]) => {
        const expected = ajv.compile(schema)(value);
        seen[expected ? 'taken' : 'refused']++;
        expect(compile(schema)?.(value)).to.equal(expected);
      }),
      { numRuns: 800 },
    );
    expect(seen.taken).to.be.above(100);
    expect(seen.refused).to.be.above(100);
  });

  const values: readonly unknown[] = [
    null,
    true,
    0,
    -0,
    1.5,
    2 ** 53,
    1e300,
    Infinity,
    -Infinity,
    NaN,
    '',
    'a',
    [],
    [null],
    {},
    { a: null },
    { 'a\nb': 1 },
    JSON.parse('{"__proto__": 1}'),
    { toString: 1 },
  ];
  const schemas: readonly object[] = [
    { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    { type: 'object', patternProperties: { '^.*$': { type: 'string' } }, additionalProperties: false },
    { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
    { properties: { toString: { type: 'string' } } },
    { type: ['integer', 'null'] },
    { type: ['array', 'integer'] },
    { type: 'integer' },
    { minimum: 1 },
    { maximum: 8 },
    { enum: [0, 'a'], maximum: 8 },
    { enum: [null, 0, 'a'] },
    { type: 'number', minimum: 1, maximum: 2 ** 53 },
    { items: { type: 'null' } },
    { additionalProperties: { type: 'null' } },
    {},
  ];
  for (const schema of schemas) {
    it(`compile() agrees with ajv on the schema ${JSON.stringify(schema)}`, () => {
      const validate = ajv.compile(schema);
      expect(values.map((value) => compile(schema)?.(value))).to.deep.equal(values.map((value) => validate(value)));
    });
  }

  for (const schema of [{ minLength: 1 }, { properties: { a: { format: 'x' } } }, { items: [{}] }, { enum: [{}] }]) {
    it(`compile() delegates the schema ${JSON.stringify(schema)} to ajv`, () => {
      expect(compile(schema)).to.equal(null);
    });
  }
});
