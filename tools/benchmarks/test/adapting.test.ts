import { expect } from 'chai';
import { largeFiles, measureAdapting } from '../src/adapting.ts';

describe('benchmarks of adapting', () => {
  for (const file of largeFiles(3)) {
    it(`adapts ${file.name}`, () => {
      for (const seconds of measureAdapting(file, 1).values()) expect(seconds[0]).to.be.above(0);
    }).timeout(30_000);
  }
});
