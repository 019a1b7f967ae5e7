import { expect } from 'chai';
import fc from 'fast-check';
import { hashNode, shareSubtrees } from '@sluice/reconciler';
import type { Json, JsonArray, JsonObject } from '@sluice/base';
import { copy, documents, editedDocuments } from './trees.ts';

/** Checks that each object or array in `next` is the same instance as the equal one at the same path in `current`. */
function expectShared(current: Json | undefined, next: Json): void {
  if (typeof next !== 'object' || next === null || typeof current !== 'object' || current === null) return;
  if (Array.isArray(next) || Array.isArray(current)) return;
  for (const [key, value] of Object.entries(next as JsonObject)) {
    const before = Object.hasOwn(current, key) ? (current as JsonObject)[key] : undefined;
    if (typeof value === 'object' && value !== null && hashNode(value) === hashNode(before ?? null))
      expect(value).to.equal(before);
    else expectShared(before, value);
  }
}

describe('shareSubtrees', () => {
  it('shareSubtrees returns the new document unchanged if there is nothing to share', () => {
    const kept = { a: 1 };
    const next = { routes: [kept, { changed: [2] }, kept] };
    const shared = shareSubtrees({ routes: [kept, { changed: [1] }, kept] }, next);
    expect(shared).to.equal(next);
  });

  it('shareSubtrees returns a document that equals the new document and shares equal parts with the current document', () => {
    fc.assert(
      fc.property(editedDocuments, ([current, next]) => {
        const shared = shareSubtrees(current, copy(next));
        expect(shared).to.deep.equal(next);
        expectShared(current, shared);
      }),
      { numRuns: 1000 },
    );
  });

  it('shareSubtrees returns the current document if nothing differs', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(shareSubtrees(document, copy(document))).to.equal(document);
      }),
    );
  });

  it('shareSubtrees keeps array elements through insertion, removal and reordering', () => {
    const routes = Array.from({ length: 20 }, (_, i) => ({ '@id': `r${i}`, handle: [{ body: `b${i}` }] }));
    const next = [{ '@id': 'new' }, ...routes.toReversed().toSpliced(3, 1)];
    const shared = shareSubtrees(routes, copy(next)) as JsonArray;
    expect(shared).to.deep.equal(next);
    for (const node of shared.slice(1)) expect(routes.includes(node as never), JSON.stringify(node)).to.equal(true);
  });

  it('shareSubtrees supports the removal of one of several equal elements', () => {
    for (const node of ['a', { a: 1 }, ['a']]) {
      for (const count of [1, 2, 3]) {
        const next = Array.from({ length: count }, () => node);
        expect(shareSubtrees([...next, node], copy(next))).to.deep.equal(next);
      }
    }
  });

  it('shareSubtrees first pairs equal elements at the end of a list, and then pairs the remaining elements by position', () => {
    const current = [{ a: { b: 1 } }, { a: { b: 1 } }];
    const [first, last] = shareSubtrees(current, [{ a: { b: 1 }, c: 2 }, { a: { b: 1 } }]) as JsonArray as [
      JsonObject,
      JsonObject,
    ];
    expect(last).to.equal(current[1]);
    expect(first['a']).to.equal(current[0]?.a);
  });

  it('shareSubtrees never uses the same node for two elements', () => {
    const route = (path: string, body: string): JsonObject => ({ match: { path }, handle: { body } });
    const current = [route('/a', 'a'), route('/b', 'b')];
    const next = [route('/a', 'a'), route('/b', 'new'), route('/b', 'newer'), route('/b', 'b')];
    const shared = shareSubtrees(current, next) as readonly JsonObject[];
    expect(shared).to.deep.equal(next);
    expect(shared[3]).to.equal(current[1]);
    const inner = shared.flatMap((element) => Object.values(element));
    expect(new Set(inner).size).to.equal(inner.length);
  });

  it('shareSubtrees creates ordinary objects even for keys such as __proto__', () => {
    const next = JSON.parse('{"__proto__":{"x":1},"constructor":2,"a":[1]}') as JsonObject;
    const shared = shareSubtrees({ a: [1], b: 1 }, next);
    expect(Object.getOwnPropertyDescriptors(shared)).to.deep.equal(Object.getOwnPropertyDescriptors(next));
    expect(Object.getPrototypeOf(shared)).to.equal(Object.prototype);
  });

  it('shareSubtrees shares the unchanged parts of a changed element', () => {
    const routes = [{ match: [{ path: ['/a'] }], handle: [{ body: 'a' }] }];
    const [shared] = shareSubtrees(routes, [{ match: [{ path: ['/a'] }], handle: [{ body: 'b' }] }]) as JsonArray as [
      JsonObject,
    ];
    expect(shared.match).to.equal(routes[0]?.match);
  });

  it('shareSubtrees is not slower for deeply nested documents', () => {
    const nested = (inner: Json): Json => {
      let node: Json = inner;
      for (let i = 0; i < 100; i++) node = i % 2 === 0 ? [node, 1] : [1, [node]];
      return node;
    };
    expect(shareSubtrees(nested('old'), nested('new'))).to.deep.equal(nested('new'));
  }).timeout(1000);
});
