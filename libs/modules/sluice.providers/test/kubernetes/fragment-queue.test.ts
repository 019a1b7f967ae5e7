import { expect } from 'chai';
import type { Fragment } from '@sluice/providers-app/contract';
import { FragmentQueue } from '../../src/kubernetes/fragment-queue.ts';

const fragment = (text: string): Fragment => ({ object: text, config: { text } });
const fragments = (...keys: readonly string[]): ReadonlyMap<string, Fragment> =>
  new Map(keys.map((key) => [key, fragment(key)]));
const accepted = (...keys: readonly string[]): ReadonlyMap<string, string | null> =>
  new Map(keys.map((key) => [key, null]));

describe('FragmentQueue', () => {
  let sent: string[][];
  let queue: FragmentQueue;
  let applied: [owners: string[], recovered: string[]][];
  beforeEach(() => {
    sent = [];
    applied = [];
    queue = new FragmentQueue(
      (changes) => sent.push([...changes].map(([key, value]) => `${value === null ? '-' : '+'}${key}`)),
      (owners, recovered) => applied.push([[...owners], [...recovered]]),
    );
  });

  it('FragmentQueue sends one batch at a time', () => {
    queue.set('a', [], fragments('a1', 'a2'));
    queue.flush();
    queue.set('b', [], fragments('b1'));
    queue.flush();
    expect(sent).to.deep.equal([['+a1', '+a2']]);
    queue.settle(accepted('a1', 'a2'));
    expect(sent).to.deep.equal([['+a1', '+a2'], ['+b1']]);
    expect([queue.isSettled('a'), queue.isSettled('b')]).to.deep.equal([true, false]);
  });

  it('FragmentQueue sends only changed fragments, and removes missing fragments', () => {
    queue.set('a', [], fragments('a1', 'a2'));
    queue.flush();
    queue.settle(accepted('a1', 'a2'));
    queue.set('a', ['a1', 'a2'], fragments('a1', 'a3'));
    queue.flush();
    expect(sent.at(-1)).to.deep.equal(['-a2', '+a3']);
  });

  it('FragmentQueue does not consider an owner settled if the owner changes while its fragments are in flight', () => {
    queue.set('a', [], fragments('a1'));
    queue.flush();
    queue.set('a', ['a1'], new Map([['a1', fragment('changed')]]));
    queue.settle(accepted('a1'));
    expect(queue.isSettled('a')).to.equal(false);
    queue.settle(new Map([['a1', 'rejected']]));
    expect([queue.isSettled('a'), queue.rejected.get('a1')]).to.deep.equal([true, 'rejected']);
  });

  it('FragmentQueue ignores results of another batch', () => {
    queue.set('a', [], fragments('a1'));
    queue.flush();
    queue.settle(new Map());
    expect(queue.isSettled('a')).to.equal(false);
    queue.settle(accepted('a1'));
    expect(queue.isSettled('a')).to.equal(true);
  });

  it('FragmentQueue records that the host has accepted a previously rejected fragment, even while a batch is in flight', () => {
    queue.set('a', [], fragments('a1'));
    queue.flush();
    queue.settle(new Map([['a1', 'conflict']]));
    queue.set('b', [], fragments('b1'));
    queue.flush();
    queue.settle(new Map([['a1', 'other conflict']]));
    expect(queue.rejected.get('a1')).to.equal('other conflict');
    queue.settle(accepted('a1'));
    expect(queue.rejected.size).to.equal(0);
    expect(queue.isSettled('b')).to.equal(false);
    queue.settle(accepted('b1'));
    expect(queue.isSettled('b')).to.equal(true);
    expect(applied).to.deep.equal([
      [['a'], []],
      [['a'], []],
      [['a'], ['a']],
      [['b'], []],
    ]);
  });

  it('FragmentQueue records a later conflict of an accepted fragment', () => {
    queue.set('a', [], fragments('a1'));
    queue.flush();
    queue.settle(accepted('a1'));
    queue.settle(new Map([['a1', 'conflict']]));
    expect(queue.rejected.get('a1')).to.equal('conflict');
    expect(queue.isSettled('a')).to.equal(true);
    expect(applied.at(-1)).to.deep.equal([['a'], []]);
  });
});
