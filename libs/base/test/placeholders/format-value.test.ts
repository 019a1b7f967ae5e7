import { expect } from 'chai';
import { compileTemplate, formatValue } from '@sluice/base';

class Named {
  toString(): string {
    return 'named';
  }
}

describe('formatValue', () => {
  const values: [value: unknown, text: string][] = [
    ['a', 'a'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [0, '0'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [-1e21, '-1000000000000000000000'],
    [1e-7, '0.0000001'],
    [1.5e-7, '0.00000015'],
    [12n, '12'],
    [[], '[]'],
    [[1, 'a', null, undefined, [2]], '[1 a <nil> <nil> [2]]'],
    [{}, 'map[]'],
    [{ b: 1, a: 'x', c: null, ab: [true] }, 'map[a:x ab:[true] b:1 c:<nil>]'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new TypeError('no'), 'no'],
    [new Named(), 'named'],
  ];
  for (const [value, text] of values) {
    it(`formatValue and a template that contains only the placeholder format a ${typeof value} as ${JSON.stringify(text)}`, () => {
      expect(formatValue(value)).to.equal(text);
      const template = compileTemplate('{x}', () => () => value, 'empty');
      expect(template.expand(null)).to.equal(text);
      expect(template.value(null)).to.equal(value === undefined ? '' : value);
      expect(compileTemplate('-{x}-', () => () => value, 'empty').value(null)).to.equal(`-${text}-`);
    });
  }

  it('compileTemplate finds placeholders after escaped and unbalanced braces', () => {
    const read = (text: string): string => compileTemplate(text, (name) => () => `<${name}>`, 'keep').expand(null);
    expect(read(String.raw`{a\}b}`)).to.equal(String.raw`<a\}b>`);
    expect(read(String.raw`{a\}`)).to.equal('{a}');
    expect(read('}{a}')).to.equal('}<a>');
    expect(read('{{a}')).to.equal('<{a>');
    expect(read(String.raw`\\{a}`)).to.equal(String.raw`\{a}`);
  });
});
