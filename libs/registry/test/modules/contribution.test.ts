import { expect } from 'chai';
import { contributionPoint, Registry, type Contribution } from '@sluice/registry';

interface Word extends Contribution {
  readonly meaning: string;
}

const words = contributionPoint<Word>('word');

describe('Registry contributions', () => {
  it('Registry.contributions returns contributions by point and name, in registration order', () => {
    const registry = new Registry();
    registry.contribute(words, { name: 'b', meaning: 'two' }, { name: 'a', meaning: 'one' });
    registry.contribute(contributionPoint<Word>('word'), { name: 'c', meaning: 'three' });
    expect([...registry.contributions(words).keys()]).to.deep.equal(['b', 'a', 'c']);
    expect(registry.contributions(words).get('a')?.meaning).to.equal('one');
    expect(registry.contributions(contributionPoint<Word>('other')).size).to.equal(0);
  });

  it('Registry.contribute rejects a repeated name at a point', () => {
    const registry = new Registry().contribute(words, { name: 'a', meaning: 'one' });
    expect(() => registry.contribute(words, { name: 'a', meaning: 'two' })).to.throw('word a is already registered');
  });
});
