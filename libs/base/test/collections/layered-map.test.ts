import { LayeredMap } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('LayeredMap', () => {
  it('LayeredMap behaves like a Map after arbitrary changes', () => {
    const key = fc.nat(60);
    const change = fc.tuple(key, fc.option(fc.nat(), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat())), fc.array(fc.array(change, { maxLength: 45 })), (base, steps) => {
        const plain = new Map(base);
        let layered = new LayeredMap(new Map(base));
        for (const changes of steps) {
          const before = new Map(plain);
          const next = layered.with(changes);
          for (const [name, value] of changes) {
            if (value === undefined) plain.delete(name);
            else plain.set(name, value);
          }
          expectSame(next, plain);
          expectSame(layered, before);
          layered = next;
        }
      }),
    );
  });

  it('LayeredMap remains correct over thousands of small changes', () => {
    const plain = new Map(Array.from({ length: 5000 }, (_, i) => [`host${i}`, i]));
    let layered = new LayeredMap(new Map(plain));
    for (let i = 0; i < 3000; i++) {
      const name = `host${(i * 7919) % 6000}`;
      const value = i % 3 === 0 ? undefined : -i - 1;
      layered = layered.with([[name, value]]);
      if (value === undefined) plain.delete(name);
      else plain.set(name, value);
    }
    expectSame(layered, plain);
  });

  it('a new LayeredMap is empty by default', () => {
    const empty = new LayeredMap<string, number>();
    expect(empty.size).to.equal(0);
    expect(empty.get('a')).to.equal(undefined);
    expect(empty.with([['a', undefined]]).size).to.equal(0);
  });
});

function expectSame<K>(layered: LayeredMap<K, number>, plain: ReadonlyMap<K, number>): void {
  expect(layered.size).to.equal(plain.size);
  expect(new Map(layered)).to.deep.equal(plain);
  for (const [name, value] of plain) expect(layered.get(name)).to.equal(value);
  for (const [name] of layered) expect(plain.has(name) && layered.has(name)).to.equal(true);
}
