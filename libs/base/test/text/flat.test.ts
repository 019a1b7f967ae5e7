import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { flat } from '@sluice/base';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Creates different strings by joining two pieces each. */
function join(half: string, times: number): string[] {
  const texts: string[] = [];
  for (let i = 0; i < times; i++) texts.push(flat(half + i));
  return texts;
}

describe('flat', () => {
  it('flat() returns a string that is equal to its input', () => {
    expect(flat('')).to.equal('');
    expect(flat('\0')).to.equal('\0');
    expect(join('a\0', 2)).to.deep.equal(['a\u00000', 'a\u00001']);
  });

  it('flat() makes strings contiguous in memory, even in optimized code', () => {
    for (let i = 0; i < 30_000; i++) expect(join('abcdefghijklmnop', 20).length).to.equal(20);
    const long = flat('x'.repeat(1 << 20));
    collect();
    const before = process.memoryUsage().heapUsed;
    const texts = join(long, 50);
    collect();
    expect(process.memoryUsage().heapUsed - before).to.be.above(40 << 20);
    expect(texts).to.have.length(50);
  });
});
