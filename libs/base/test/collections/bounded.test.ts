import { expect } from 'chai';
import { byteAt, floatAt, itemAt, numberAt, wordAt } from '@sluice/base';

describe('bounded.ts', () => {
  const reads: readonly [name: string, read: (index: number) => unknown, value: unknown][] = [
    ['byteAt', (index) => byteAt(Buffer.from([255]), index), 255],
    ['wordAt', (index) => wordAt(Int32Array.of(-1), index), -1],
    ['floatAt', (index) => floatAt(Float64Array.of(0.5), index), 0.5],
    ['numberAt', (index) => numberAt([0], index), 0],
    ['itemAt', (index) => itemAt([''], index), ''],
  ];
  for (const [name, read, value] of reads) {
    it(`the bounded function ${name} returns the element at an index, and throws if there is none`, () => {
      expect(read(0)).to.equal(value);
      for (const index of [-1, 1]) expect(() => read(index)).to.throw(RangeError, `index ${index} is out of bounds`);
    });
  }
});
