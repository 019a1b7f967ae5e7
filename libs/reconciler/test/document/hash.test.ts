import { expect } from 'chai';
import fc from 'fast-check';
import { hashNode } from '@sluice/reconciler';
import { jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { copy, documents, editedDocuments, objectOf } from './trees.ts';

function reversed(node: Json): Json {
  if (Array.isArray(node)) return node.map((item: Json) => reversed(item));
  if (typeof node !== 'object' || node === null) return node;
  return objectOf(
    Object.entries(node as JsonObject)
      .toReversed()
      .map(([key, value]) => [key, reversed(value)]),
  );
}

describe('hashNode', () => {
  it('hashNode returns equal hashes for equal content, regardless of nodes and key order', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(hashNode(copy(document))).to.equal(hashNode(document));
        expect(hashNode(reversed(document))).to.equal(hashNode(document));
        expect(hashNode(document)).to.match(/^[0-9a-f]{16}$/);
      }),
    );
  });

  it('hashNode returns different hashes for different content', () => {
    fc.assert(
      fc.property(editedDocuments, ([before, after]) => {
        expect(hashNode(before) === hashNode(after)).to.equal(jsonEqual(before, after));
      }),
      { numRuns: 2000 },
    );
  });

  // Attack in docs/security.md: Different configuration values whose ETags could collide in `If-Match`, such as `"3"` and `0`.
  it('hashNode returns different hashes for a number and similar strings', () => {
    const texts = Array.from({ length: 2000 }, (_, i) => String(i));
    const scalars: Json[] = [...texts, ...texts.map(Number)];
    expect(new Set(scalars.map(hashNode)).size).to.equal(scalars.length);
  });

  it('hashNode distinguishes similar values', () => {
    const alike: Json[] = [
      null,
      'null',
      true,
      'true',
      0,
      '0',
      '',
      [],
      {},
      [[]],
      [{}],
      [null],
      { '': null },
      { a: 'b' },
      { b: 'a' },
      ['a', 'b'],
      ['b', 'a'],
      [['a'], 'b'],
      ['a', ['b']],
      { a: { b: 1 } },
      { b: { a: 1 } },
    ];
    expect(new Set(alike.map(hashNode)).size).to.equal(alike.length);
  });

  it('hashNode has no collisions among many small nodes', () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 50_000; i++)
      hashes.add(hashNode({ handler: 'static_response', body: `b${i}`, n: [i] })).add(hashNode([i, i + 1]));
    expect(hashes.size).to.equal(100_000);
  });
});
