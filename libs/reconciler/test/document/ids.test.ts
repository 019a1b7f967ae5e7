import { expect } from 'chai';
import fc from 'fast-check';
import { IdIndex } from '@sluice/reconciler';
import { isSluiceError, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { objectOf } from './trees.ts';

/** Finds all `@id` values and their paths by searching the whole document. Returns `null` if an ID occurs more than once. */
function allIds(document: Json): Map<string, ConfigPath> | null {
  const ids = new Map<string, ConfigPath>();
  let unique = true;
  const visit = (node: Json, path: string[]): void => {
    if (typeof node !== 'object' || node === null) return;
    const id = Array.isArray(node) ? undefined : (node as JsonObject)['@id'];
    if (typeof id === 'string' || typeof id === 'number') {
      if (ids.has(String(id))) unique = false;
      ids.set(String(id), path);
    }
    for (const [key, child] of Object.entries(node)) visit(child, [...path, key]);
  };
  visit(document, []);
  return unique ? ids : null;
}

/** Generates documents, some with duplicate IDs. */
const documents: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constant<Json>(1),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), tie('node')), { maxLength: 3 }).map(objectOf),
    fc
      .tuple(fc.oneof(fc.nat(30).map(String), fc.nat(30)), tie('node'))
      .map(([id, inner]): Json => ({ '@id': id, inner })),
  ),
})).node;

/** Generates documents that reuse nodes of earlier documents, as moves and copies do. */
const histories = fc.array(fc.tuple(documents, fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 8 });

describe('IdIndex', () => {
  it('IdIndex finds every object after a move, and rejects duplicates', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const index = new IdIndex();
        let current: Json = [];
        for (const [fresh, keep, at] of history) {
          const kept = current.slice(0, keep);
          const next: Json = [...kept.slice(0, at).toReversed(), fresh, ...kept.slice(at)];
          const expected = allIds(next);
          if (expected === null) {
            expect(() => index.plan(current, next)).to.throw('duplicate @id');
            continue;
          }
          index.apply(index.plan(current, next));
          current = next;
          for (const [id, path] of expected) expect(index.find(current, id)).to.deep.equal(path);
          for (let id = 0; id <= 30; id++)
            if (!expected.has(String(id))) expect(index.find(current, String(id))).to.equal(null);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('IdIndex reports both paths of a duplicate', () => {
    const index = new IdIndex();
    const before = { routes: [{ '@id': 'a' }] };
    index.apply(index.plan(null, before));
    const after = { routes: [...before.routes, { handle: [{ '@id': 'a' }] }] };
    expect(() => index.plan(before, after))
      .to.throw('routes[1].handle[0]: duplicate @id "a", already used by routes[0]')
      .with.property('status', 400);
    expect(() => index.plan(null, [{ '@id': 1 }, { '@id': '1' }])).to.throw(
      '[1]: duplicate @id "1", already used by [0]',
    );
  });

  for (const id of [true, null, [], {}]) {
    it(`IdIndex rejects @id ${JSON.stringify(id)}`, () => {
      expect(() => new IdIndex().plan(null, { a: { '@id': id } }))
        .to.throw('a: @id must be a string or a number')
        .with.property('code', 'ERR_CONFIG_ID');
    });
  }

  it('IdIndex ignores empty identifiers', () => {
    const index = new IdIndex();
    index.apply(index.plan(null, [{ '@id': '' }, { '@id': '' }]));
    expect(index.find([{ '@id': '' }], '')).to.equal(null);
  });

  it('IdIndex does not find a removed object, and finds it after it is restored', () => {
    const index = new IdIndex();
    const document = { a: { '@id': 'x' } };
    index.apply(index.plan(null, document));
    for (let i = 0; i < 2; i++) expect(index.find({ a: 1 }, 'x')).to.equal(null);
    expect(index.find({ b: [{ '@id': 'x' }] }, 'x')).to.deep.equal(['b', '0']);
    expect(index.find(document, 'x')).to.deep.equal(['a']);
  });

  it('IdIndex.resolve fails with 404 for an unknown identifier', () => {
    try {
      new IdIndex().resolve({}, 'missing');
      expect.fail('found it');
    } catch (error) {
      expect(isSluiceError(error) && error.status).to.equal(404);
    }
  });
});
