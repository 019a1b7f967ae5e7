import { encodeQuery, parseQuery, parseQueryOrNull } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('parseQuery and encodeQuery', () => {
  const cases: [string, [string, string[]][], boolean?][] = [
    ['', []],
    ['a=1', [['a', ['1']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['=1', [['', ['1']]]],
    ['=', [['', ['']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['a+b=c+d%2B', [['a b', ['c d+']]]],
    ['%C3%A9=%F0%9F%98%80', [['é', ['😀']]]],
    ['a=%E9', [['a', ['\udce9']]]],
    ['a=1;b=2&c=3', [['c', ['3']]], false],
    [';', [], false],
    ['a=%3B', [['a', [';']]]],
    ['a=%zz&b=1', [['b', ['1']]], false],
    ['%=1&b=1', [['b', ['1']]], false],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', ['1']],
        ['constructor', ['2']],
      ],
    ],
  ];
  for (const [text, values, complete = true] of cases) {
    it(`parseQuery parses ${JSON.stringify(text)}`, () => {
      expect([...parseQuery(text)]).to.deep.equal(values);
      expect(parseQueryOrNull(text)).to.deep.equal(complete ? new Map(values) : null);
    });
  }

  it('encodeQuery sorts parameters by the bytes of their keys', () => {
    const values: [string, string[]][] = [
      ['b', ['2', '1']],
      ['', ['x']],
      ['a b', ['c&d']],
      ['😀', ['']],
      ['\uffee', ['']],
      ['none', []],
    ];
    expect(encodeQuery(values)).to.equal('=x&a+b=c%26d&b=2&b=1&%EF%BF%AE=&%F0%9F%98%80=');
  });

  it('parseQuery is the inverse of encodeQuery', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '&', '=', ';', '+', ' ', '%', 'é', '😀', '\udcff', '#') });
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text, { minLength: 1 })), (object) => {
        const values = new Map(Object.entries(object));
        expect(parseQueryOrNull(encodeQuery(values))).to.deep.equal(values);
      }),
    );
  });
});
