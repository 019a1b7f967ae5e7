import { expect } from 'chai';
import { inTurn } from '../src/in-turn.ts';

describe('mutation tool: inTurn', () => {
  for (const jobs of [1, 2, 9]) {
    it(`inTurn handles each item once, at most ${jobs} at a time`, async () => {
      const handled: number[] = [];
      let running = 0;
      let peak = 0;
      await inTurn([1, 2, 3, 4, 5], jobs, async (item) => {
        peak = Math.max(peak, ++running);
        await Promise.resolve();
        handled.push(item);
        running--;
      });
      expect(handled).to.deep.equal([1, 2, 3, 4, 5]);
      expect(peak).to.equal(Math.min(jobs, 5));
    });
  }

  it('inTurn rejects if handling an item fails', async () => {
    const failure = await inTurn([1, 2], 1, (item) => Promise.reject(new Error(`${item}`))).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error').with.property('message', '1');
  });
});
