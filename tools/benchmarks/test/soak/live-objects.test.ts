import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import { expect } from 'chai';
import { countLiveObjects } from '../../src/soak/protocols/live-objects.ts';

class WithMethods {
  readonly #value: number;
  constructor(value: number) {
    this.#value = value;
  }
  get value(): number {
    return this.#value;
  }
  method(): number {
    return this.#value;
  }
}

describe('live objects in heap snapshots', function () {
  this.timeout(60_000);

  // Found by measuring: the soak test reported one session after all connections had ended. It was the prototype of the class.
  it('countLiveObjects counts instances, but not the prototype of their class', async () => {
    const kept: WithMethods[] = [];
    const count = async (): Promise<number | undefined> => {
      const counts = new Map([['WithMethods', 0]]);
      countLiveObjects(await text(getHeapSnapshot()), counts);
      return counts.get('WithMethods');
    };
    for (let i = 0; i < 1000; i++) new WithMethods(i).method();
    expect(await count()).to.equal(0);
    kept.push(new WithMethods(1), new WithMethods(2));
    expect(await count()).to.equal(2);
    expect(kept.map(({ value }) => value)).to.deep.equal([1, 2]);
  });
});
