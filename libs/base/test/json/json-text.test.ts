import { expect } from 'chai';
import { maxDepth, parseJsonText } from '@sluice/base';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON of a configuration', () => {
  it('is parsed, and says how deep it is: brackets in texts do not count', () => {
    expect(parseJsonText('{"a": [1, {"[[": "\\"[["}]}')).to.deep.equal({
      value: { a: [1, { '[[': '"[[' }] },
      depth: 3,
    });
    expect(parseJsonText(' 7 ')).to.deep.equal({ value: 7, depth: 0 });
  });

  it('may be as deep as documents are, and not deeper', () => {
    expect(parseJsonText(nested(maxDepth)).depth).to.equal(maxDepth);
    expect(() => parseJsonText(nested(maxDepth + 1))).to.throw(RangeError, `nested ${maxDepth + 1} levels deep`);
    expect(() => parseJsonText('['.repeat(1_000_000))).to.throw(RangeError, 'nested 1000000 levels deep');
  });

  it('has no number that could not be written again', () => {
    for (const text of ['1e400', '[-1E+400]', '{"a": {"b": 1e999}}', `1${'0'.repeat(400)}`])
      expect(() => parseJsonText(text), text).to.throw(RangeError, 'out of range');
    expect(parseJsonText('[1e300, 1e-400, "1e999"]').value).to.deep.equal([1e300, 0, '1e999']);
  });

  it('has no half of a surrogate pair, which has no place in UTF-8', () => {
    expect(parseJsonText('{"\\ud800": "a\\udc00", "b": "\\ud83d\\ude00"}').value).to.deep.equal({
      '\ufffd': 'a\ufffd',
      b: '😀',
    });
  });

  it('is refused where it is not JSON', () => {
    for (const text of ['', '{', '[1,]', 'NaN', 'Infinity', '01'])
      expect(() => parseJsonText(text), text).to.throw(SyntaxError);
  });
});
