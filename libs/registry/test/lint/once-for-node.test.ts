import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { finder, onceForNode, textFinder } from '@sluice/registry';

describe('onceForNode', () => {
  it('onceForNode computes a result once per node, and again for another node with equal content', () => {
    const asked: object[] = [];
    const sizeOf = onceForNode((node: object) => {
      asked.push(node);
      return Object.keys(node).length;
    });
    const node = { a: 1 };
    expect([sizeOf(node), sizeOf(node), sizeOf({ a: 1 })]).to.deep.equal([1, 1, 1]);
    expect(asked).to.have.length(2);
  });

  it('onceForNode does not recompute nodes that a change keeps', () => {
    const asked: Json[] = [];
    const hasBad = finder((node) => {
      asked.push(node);
      return node === 'bad';
    });
    const kept = { texts: ['good', 'well'] };
    expect(hasBad({ kept, other: 'good' })).to.equal(false);
    asked.length = 0;
    expect(hasBad({ kept, other: 'bad' })).to.equal(true);
    expect(asked).to.not.include('well');
  });

  it('textFinder finds strings at any depth and returns their paths', () => {
    const find = textFinder((text) => text.startsWith('x'));
    const document = { a: ['x1', { b: 'x2', c: 'y' }], x: 'y', d: null, e: 1 };
    const places = (): unknown[] => [...find(document, ['top'])].map(({ text, path }) => [text, path.join('.')]);
    expect(places()).to.deep.equal([
      ['x1', 'top.a.0'],
      ['x2', 'top.a.1.b'],
    ]);
    expect(places()).to.have.length(2);
    expect([...find('xyz', [])]).to.deep.equal([{ text: 'xyz', path: [] }]);
    expect([...find(undefined, [])]).to.deep.equal([]);
  });
});
