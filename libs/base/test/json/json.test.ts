import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { isArray, isObject, jsonEqual, kindOf, own, spliceOf, withKey, withoutKey, type Json } from '@sluice/base';

describe('JSON functions', () => {
  const kinds: [value: Json | undefined, kind: string][] = [
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'an array'],
    [{}, 'an object'],
    ['', 'a string'],
    [0, 'a number'],
    [false, 'a boolean'],
  ];
  for (const [value, kind] of kinds) {
    it(`kindOf describes a value as ${kind}`, () => {
      expect(kindOf(value)).to.equal(kind);
      expect(isObject(value)).to.equal(kind === 'an object');
      expect(isArray(value)).to.equal(kind === 'an array');
    });
  }

  it('jsonEqual compares content, regardless of the order of keys', () => {
    const leaf = fc.constantFrom<Json>(null, 0, 1, '', 'a', true, false);
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(jsonEqual(a, b)).to.equal(isDeepStrictEqual(plain(a), plain(b)));
        expect(jsonEqual(a, structuredClone(plain(a)))).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });

  const different: [a: Json | undefined, b: Json | undefined][] = [
    [undefined, null],
    [null, {}],
    [[], {}],
    [{}, []],
    [[1], { 0: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ toString: 1 }, {}],
    [{ a: undefined as unknown as Json }, { b: undefined as unknown as Json }],
    [[1, 2], [1]],
    ['1', 1],
  ];
  for (const [a, b] of different) {
    it(`jsonEqual distinguishes ${JSON.stringify(a)} from ${JSON.stringify(b)}`, () => {
      expect([jsonEqual(a, b), jsonEqual(b, a)]).to.deep.equal([false, false]);
    });
  }

  it('own, withKey and withoutKey consider only own keys', () => {
    const object = { a: 1, b: 2 };
    expect([own(object, 'a'), own(object, 'toString'), own(object, 'c')]).to.deep.equal([1, undefined, undefined]);
    expect(withKey(object, 'a', 3)).to.deep.equal({ a: 3, b: 2 });
    expect(withKey(object, 'c', 3)).to.deep.equal({ a: 1, b: 2, c: 3 });
    expect(Object.keys(withKey({}, '__proto__', 1))).to.deep.equal(['__proto__']);
    expect(withoutKey(object, 'a')).to.deep.equal({ b: 2 });
    expect(object).to.deep.equal({ a: 1, b: 2 });
  });
});

/** Converts to ordinary prototypes, which values of fast-check may not have. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

describe('spliceOf', () => {
  const numbers = fc.array(fc.nat(3), { maxLength: 8 });

  it('spliceOf returns a minimal splice that converts one array to the other', () => {
    fc.assert(
      fc.property(numbers, numbers, (before, after) => {
        const { start, removed, inserted } = spliceOf(before, after);
        const piece = after.slice(start, start + inserted);
        expect(before.toSpliced(start, removed, ...piece)).to.deep.equal(after);
        expect(removed >= 0 && inserted >= 0).to.equal(true);
        if (removed > 0 && inserted > 0) {
          expect(before[start]).to.not.equal(after[start]);
          expect(before[start + removed - 1]).to.not.equal(after[start + inserted - 1]);
        }
      }),
      { numRuns: 1000 },
    );
    expect(spliceOf([1, 2], [1, 2])).to.deep.equal({ start: 2, removed: 0, inserted: 0 });
  });

  it('spliceOf caches results for long arrays, in both directions', () => {
    const before: readonly number[] = Array.from({ length: 256 }, (_, i) => i);
    const after = before.toSpliced(100, 1, -1, -2);
    const splice = spliceOf(before, after);
    expect(splice).to.deep.equal({ start: 100, removed: 1, inserted: 2 });
    expect(spliceOf(before, after)).to.equal(splice);
    expect(spliceOf(after, before)).to.deep.equal({ start: 100, removed: 2, inserted: 1 });
    const other = before.with(7, -7);
    expect(spliceOf(other, after)).to.deep.equal({ start: 7, removed: 94, inserted: 95 });
    expect(spliceOf(before, other)).to.deep.equal({ start: 7, removed: 1, inserted: 1 });
    expect(spliceOf(before, after)).to.deep.equal(splice);
  });
});
