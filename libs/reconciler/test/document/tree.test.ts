import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { addAt, removeAt, replaceAt, getAt, type Draft } from '../../src/document/tree.ts';

const document = { a: { b: [1, { c: 2 }], n: null }, s: 'text' };

describe('document trees', () => {
  it('getAt returns the value at a path, or undefined if there is none', () => {
    const table: [path: string[], value: unknown][] = [
      [[], document],
      [['a', 'b', '1', 'c'], 2],
      [['a', 'n'], null],
      [['a', 'b', '2'], undefined],
      [['a', 'b', '01'], undefined],
      [['a', 'b', '-'], undefined],
      [['a', 'b', '-1'], undefined],
      [['a', 'x'], undefined],
      [['s', 'length'], undefined],
      [['a', 'n', 'x'], undefined],
      [['a', 'toString'], undefined],
    ];
    for (const [path, value] of table) expect(getAt(document, path), path.join('/')).to.equal(value);
  });

  it('addAt, replaceAt and removeAt share everything outside the changed path', () => {
    const changed = replaceAt(document, ['a', 'b', '0'], 7) as typeof document;
    expect(changed).to.deep.equal({ a: { b: [7, { c: 2 }], n: null }, s: 'text' });
    expect(changed.a.b[1]).to.equal(document.a.b[1]);
    expect(document.a.b[0]).to.equal(1);
    for (const same of [
      replaceAt(document, ['a', 'b', '0'], 1),
      replaceAt(document, ['s'], 'text'),
      addAt(document, ['s'], 'text'),
    ])
      expect(same).to.equal(document);
  });

  it('a draft modifies only its own containers in place', () => {
    const draft: Draft = new Set();
    const first = addAt(document, ['a', 'b', '-'], 3, draft) as typeof document;
    const second = removeAt(replaceAt(first, ['a', 'b', '0'], 7, draft), ['a', 'n'], draft) as typeof document;
    expect(second)
      .to.equal(first)
      .and.to.deep.equal({ a: { b: [7, { c: 2 }, 3] }, s: 'text' });
    const inner = replaceAt(second, ['a', 'b', '1', 'c'], 9, draft) as typeof document;
    expect([inner.a.b[1], document.a.b[1]]).to.deep.equal([{ c: 9 }, { c: 2 }]);
    expect(document).to.deep.equal({ a: { b: [1, { c: 2 }], n: null }, s: 'text' });
  });

  it('addAt creates ordinary objects for any keys', () => {
    const ordinary = Object.getOwnPropertyDescriptors({ a: 1, b: 2 });
    for (const change of [addAt, replaceAt])
      expect(Object.getOwnPropertyDescriptors(change({ a: 1, b: 1 }, ['b'], 2))).to.deep.equal(ordinary);
    const named = addAt({}, ['__proto__'], { x: 1 });
    expect([Object.keys(named as object), Object.getPrototypeOf(named)]).to.deep.equal([
      ['__proto__'],
      Object.prototype,
    ]);
  });

  it('an empty path refers to the whole document', () => {
    expect([addAt(document, [], 1), replaceAt(document, [], 2), removeAt(document, [])]).to.deep.equal([1, 2, null]);
  });

  const set = (change: typeof addAt, path: string[]) => (): Json => change(document, path, 0);
  const refused: [change: () => Json, status: number, message: string][] = [
    [set(addAt, ['a', 'b', '3']), 400, '/a/b/3: an element can be inserted at index 0 to 2, not at "3"'],
    [set(addAt, ['a', 'b', 'x']), 400, '/a/b/x: an element can be inserted at index 0 to 2, not at "x"'],
    [set(addAt, ['s', 'x']), 400, '/s is a string; cannot add anything to it'],
    [set(replaceAt, ['s', 'x']), 400, '/s is a string; cannot replace anything in it'],
    [() => removeAt(document, ['s', 'x']), 400, '/s is a string; cannot remove anything from it'],
    [() => removeAt('text', ['x']), 400, '/ is a string; cannot remove anything from it'],
    [set(replaceAt, ['a', 'x']), 404, '/a/x does not exist, so it cannot be replaced'],
    [() => removeAt(document, ['a', 'x']), 404, '/a/x does not exist, so it cannot be removed'],
    [set(replaceAt, ['a', 'b', '2']), 404, '/a/b has 2 elements; there is no index 2'],
    [set(replaceAt, ['a', 'b', '-']), 400, '/a/b is an array; "-" is not an index (0 to 1)'],
    [set(addAt, ['a', 'x', 'y', 'z']), 404, '/a/x does not exist'],
    [set(addAt, ['a', 'b', '5', 'z']), 404, '/a/b has 2 elements; there is no index 5'],
    [set(addAt, ['a', 'b', '0', 'y', 'z']), 400, '/a/b/0 is a number; cannot look up "y" in it'],
    [() => addAt(1, ['x', 'y'], 0), 400, '/ is a number; cannot look up "x" in it'],
  ];
  for (const [change, status, message] of refused)
    it(`tree functions report ${JSON.stringify(message)}`, () =>
      expect(change).to.throw(message).with.property('status', status));
});
