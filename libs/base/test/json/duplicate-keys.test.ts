import { expect } from 'chai';
import fc from 'fast-check';
import { duplicateKeys } from '@sluice/base';

describe('duplicateKeys', () => {
  const texts: readonly (readonly [text: string, found: readonly string[]])[] = [
    ['{}', []],
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', []],
    ['{"a":1,"a":2}', ['a 1']],
    ['{"a":1,\n"\\u0061":2}', ['a 2']],
    ['{"a":{"b":[0,{"c":1,"c":2},{"c":3}]}}', ['a/b/1/c 1']],
    ['{"a":"x\\"a\\":","b":"{\\"a\\":1}","a":1}', ['a 1']],
    ['{"@id":"x",\n\n"@id":"y","@id":"z"}', ['@id 3', '@id 3']],
    ['[{"a":1},[{"b":1,"b":{"c":1,"c":2}}]]', ['1/0/b 1', '1/0/b/c 1']],
    ['"a"', []],
    ['{"__proto__":1,"__proto__":2}', ['__proto__ 1']],
  ];
  for (const [text, found] of texts) {
    it(`duplicateKeys returns ${found.join(', ') || 'none'} for ${JSON.stringify(text)}`, () =>
      expect(duplicateKeys(text).map(({ path, line }) => `${path.join('/')} ${line}`)).to.deep.equal(found));
  }

  it('duplicateKeys finds no duplicates in serialized values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(duplicateKeys(JSON.stringify(value, null, 1))).to.deep.equal([]);
      }),
    );
  });
});
