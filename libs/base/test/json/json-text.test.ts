import { expect } from 'chai';
import { maxDepth, parseJsonText } from '@sluice/base';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('parseJsonText', () => {
  it('parseJsonText returns the nesting depth, and ignores brackets in strings', () => {
    expect(parseJsonText('{"a": [1, {"[[": "\\"[["}]}')).to.deep.equal({
      value: { a: [1, { '[[': '"[[' }] },
      depth: 3,
    });
    expect(parseJsonText(' 7 ')).to.deep.equal({ value: 7, depth: 0 });
  });

  it('parseJsonText accepts the maximum depth of documents, and rejects more', () => {
    expect(parseJsonText(nested(maxDepth)).depth).to.equal(maxDepth);
    expect(() => parseJsonText(nested(maxDepth + 1))).to.throw(RangeError, `nested ${maxDepth + 1} levels deep`);
    expect(() => parseJsonText('['.repeat(1_000_000))).to.throw(RangeError, 'nested 1000000 levels deep');
  });

  it('parseJsonText rejects numbers that cannot be serialized again', () => {
    for (const text of ['1e400', '[-1E+400]', '{"a": {"b": 1e999}}', `1${'0'.repeat(400)}`])
      expect(() => parseJsonText(text), text).to.throw(RangeError, 'out of range');
    expect(parseJsonText('[1e300, 1e-400, "1e999"]').value).to.deep.equal([1e300, 0, '1e999']);
  });

  it('parseJsonText replaces lone surrogates, which UTF-8 cannot represent', () => {
    expect(parseJsonText('{"\\ud800": "a\\udc00", "b": "\\ud83d\\ude00"}').value).to.deep.equal({
      '\ufffd': 'a\ufffd',
      b: '😀',
    });
  });

  it('parseJsonText rejects text that is not JSON', () => {
    for (const text of ['', '{', '[1,]', 'NaN', 'Infinity', '01'])
      expect(() => parseJsonText(text), text).to.throw(SyntaxError);
  });
});
