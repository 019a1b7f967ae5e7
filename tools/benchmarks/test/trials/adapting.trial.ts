import { expect } from 'chai';
import { largeFiles, measureAdapting } from '../../src/adapting.ts';

describe('benchmark tool: adapting', () => {
  for (const file of largeFiles(3)) {
    it(`measureAdapting measures ${file.name}`, () => {
      const times = measureAdapting(file, 1);
      expect(times.has('sluice')).to.equal(true);
      for (const seconds of times.values()) expect(seconds[0]).to.be.above(0);
    }).timeout(30_000);
  }
});
