import { expect } from 'chai';
import fc from 'fast-check';
import { applyJsonPatch, applyMergePatch } from '@sluice/reconciler';
import { isSluiceError, maxDepth, type Json, type JsonObject } from '@sluice/base';
import { documents, keys } from './trees.ts';

function statusOf(task: () => unknown): number {
  try {
    task();
    return 200;
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    return error.status;
  }
}

describe('applyJsonPatch', () => {
  const document = { a: { b: [1, 2, 3] }, 'x/y': { '~': true }, n: null };
  const cases: [patch: Json, result: Json | number][] = [
    [[], document],
    [[{ op: 'add', path: '/a/b/1', value: 9 }], { ...document, a: { b: [1, 9, 2, 3] } }],
    [[{ op: 'add', path: '/a/b/-', value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    [[{ op: 'add', path: '/a/b/3', value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    [[{ op: 'add', path: '/a/c', value: { d: 1 } }], { ...document, a: { b: [1, 2, 3], c: { d: 1 } } }],
    [[{ op: 'add', path: '', value: 5 }], 5],
    [[{ op: 'replace', path: '/n', value: 1 }], { ...document, n: 1 }],
    [[{ op: 'replace', path: '/x~1y/~0', value: 1 }], { ...document, 'x/y': { '~': 1 } }],
    [[{ op: 'remove', path: '/a/b/0' }], { ...document, a: { b: [2, 3] } }],
    [[{ op: 'move', from: '/a/b/0', path: '/a/b/2' }], { ...document, a: { b: [2, 3, 1] } }],
    [[{ op: 'move', from: '/a/b', path: '/b' }], { a: {}, 'x/y': { '~': true }, n: null, b: [1, 2, 3] }],
    [
      [
        { op: 'copy', from: '/a/b', path: '/a/c' },
        { op: 'add', path: '/a/c/0', value: 0 },
      ],
      { ...document, a: { b: [1, 2, 3], c: [0, 1, 2, 3] } },
    ],
    [
      [
        { op: 'add', path: '/z', value: { k: 1 } },
        { op: 'copy', from: '/z', path: '/w' },
        { op: 'replace', path: '/w/k', value: 2 },
      ],
      { ...document, z: { k: 1 }, w: { k: 2 } },
    ],
    [
      [
        { op: 'test', path: '/a/b', value: [1, 2, 3] },
        { op: 'remove', path: '/a' },
      ],
      { 'x/y': { '~': true }, n: null },
    ],
    [[{ op: 'test', path: '/n', value: null }], document],
    [[{ op: 'test', path: '/a/b/0', value: 2 }], 409],
    [[{ op: 'test', path: '/missing', value: null }], 409],
    [[{ op: 'remove', path: '/missing' }], 404],
    [[{ op: 'replace', path: '/missing', value: 1 }], 404],
    [[{ op: 'remove', path: '/a/b/3' }], 404],
    [[{ op: 'copy', from: '/missing', path: '/b' }], 404],
    [[{ op: 'add', path: '/missing/deep', value: 1 }], 404],
    [[{ op: 'add', path: '/a/b/4', value: 1 }], 400],
    [[{ op: 'add', path: '/a/b/01', value: 1 }], 400],
    [[{ op: 'replace', path: '/a/b/-', value: 1 }], 400],
    [[{ op: 'add', path: '/n/x', value: 1 }], 400],
    [[{ op: 'move', from: '/a', path: '/a/b' }], 400],
    [[{ op: 'add', path: 'a', value: 1 }], 400],
    [[{ op: 'add', path: '/a' }], 400],
    [[{ op: 'move', path: '/a' }], 400],
    [[{ op: 'spam', path: '/a' }], 400],
    [[{ path: '/a' }], 400],
    [[null], 400],
    [{}, 400],
  ];
  for (const [patch, result] of cases) {
    it(`applyJsonPatch applies or rejects ${JSON.stringify(patch)}`, () => {
      const before = JSON.stringify(document);
      if (typeof result === 'number' && result > 99)
        expect(statusOf(() => applyJsonPatch(document, patch))).to.equal(result);
      else expect(applyJsonPatch(document, patch)).to.deep.equal(result);
      expect(JSON.stringify(document)).to.equal(before);
    });
  }

  it('applyJsonPatch resolves pointers relative to the addressed value', () => {
    expect(applyJsonPatch({ a: [{ b: 1 }, 2] }, [{ op: 'add', path: '', value: 7 }], ['a', '0'])).to.deep.equal({
      a: [7, 2],
    });
    expect(applyJsonPatch({ a: [{ b: 1 }, 2] }, [{ op: 'replace', path: '/b', value: 7 }], ['a', '0'])).to.deep.equal({
      a: [{ b: 7 }, 2],
    });
    expect(statusOf(() => applyJsonPatch({}, [], ['a']))).to.equal(404);
  });

  for (const op of ['add', 'replace', 'remove'])
    it(`applyJsonPatch names the scalar in its error if ${op} addresses a path below a scalar`, () => {
      for (const [path, where] of [
        ['/a/b/0/c', ': /a/b/0 is'],
        ['/n/x', ': /n is'],
      ] as const) {
        expect(() => applyJsonPatch({ a: { b: [1] }, n: null }, [{ op, path, value: 1 }])).to.throw(where);
      }
      expect(() => applyJsonPatch(null, [{ op, path: '/a', value: 1 }])).to.throw(': / is');
    });

  it('applyJsonPatch names the failed operation', () => {
    const patch = [
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/a' },
    ];
    expect(() => applyJsonPatch(document, patch)).to.throw('operation 1: /a does not exist');
  });

  it('applyJsonPatch shares unchanged nodes, and returns the same document if nothing changes', () => {
    const patched = applyJsonPatch(document, [{ op: 'replace', path: '/n', value: { c: 1 } }]) as JsonObject;
    expect(patched.a).to.equal(document.a);
    expect(applyJsonPatch(document, [{ op: 'replace', path: '/a/b', value: [1, 2, 3] }])).to.equal(document);
  });

  it('applyJsonPatch returns the same result as applying the operations one by one', () => {
    const pointers = fc
      .array(fc.oneof(keys, fc.constantFrom('0', '1', '-')), { maxLength: 3 })
      .map((path) => path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
    const operations = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace'), path: pointers, value: documents }),
      fc.record({ op: fc.constant('remove'), path: pointers }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: pointers, path: pointers }),
    );
    fc.assert(
      fc.property(documents, fc.array(operations, { maxLength: 12 }), (before, patch) => {
        const text = JSON.stringify(before);
        const possible: Json[] = [];
        let step = before;
        for (const operation of patch as Json[]) {
          try {
            step = applyJsonPatch(step, [operation]);
            possible.push(operation);
          } catch (error) {
            if (!isSluiceError(error) || error.status >= 500) throw error;
          }
        }
        expect(applyJsonPatch(before, possible)).to.deep.equal(step);
        expect(JSON.stringify(before)).to.equal(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('applyJsonPatch rejects patches that repeatedly copy a document into itself', () => {
    const bomb = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
    expect(() => applyJsonPatch({ a: 1 }, bomb))
      .to.throw('copies more than')
      .with.property('status', 400);
  });

  it('applyJsonPatch rejects a patch that exceeds its CPU time @long', function () {
    this.timeout(60_000);
    const list = Array.from({ length: 400_000 }, (_, at) => [at]);
    const patch = Array.from({ length: 20_000 }, () => ({ op: 'test', path: '/list', value: list }));
    const other = structuredClone({ list });
    expect(() => applyJsonPatch(other, patch))
      .to.throw(/the previous operations used 2 s of CPU time: split the patch/)
      .with.property('status', 413);
  });

  it('applyJsonPatch copies up to the maximum number of values', () => {
    // An array of 999 numbers counts as 1,000 values.
    const document = { a: Array.from({ length: 999 }, (_, i) => i), n: 1 };
    const copies = Array.from({ length: 1000 }, (_, i) => ({ op: 'copy', from: '/a', path: `/c${i}` }));
    expect(applyJsonPatch(document, copies)).to.have.property('c999');
    const more = [...copies, { op: 'copy', from: '/n', path: '/m' }];
    expect(() => applyJsonPatch(document, more)).to.throw('operation 1000: the patch copies more than 1000000 values');
  });

  it('applyJsonPatch accepts results with the maximum depth', () => {
    const nested = (depth: number): Json => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) as Json;
    for (const [op, document] of [
      ['add', {}],
      ['replace', { a: 1 }],
    ] as const) {
      expect(applyJsonPatch(document, [{ op, path: '/a', value: nested(maxDepth - 1) }])).to.have.property('a');
      expect(() => applyJsonPatch(document, [{ op, path: '/a', value: nested(maxDepth) }])).to.throw(
        `nested ${maxDepth + 1} levels deep; the maximum is ${maxDepth}`,
      );
    }
    const inner = [{ op: 'add', path: '/x', value: nested(maxDepth - 3) }];
    expect(applyJsonPatch({ a: { b: {} } }, inner, ['a', 'b'])).to.have.nested.property('a.b.x');
    const deeper = [{ op: 'add', path: '/x', value: nested(maxDepth - 2) }];
    expect(() => applyJsonPatch({ a: { b: {} } }, deeper, ['a', 'b'])).to.throw('the maximum is');
  });

  it('applyJsonPatch rejects results that are nested too deeply', () => {
    const dive = Array.from({ length: maxDepth + 1 }, (_, i) => ({
      op: 'copy',
      from: '/a',
      path: `/a${'/a'.repeat(i)}`,
    }));
    expect(statusOf(() => applyJsonPatch({ a: {} }, dive))).to.equal(400);
    const wide = [
      { op: 'add', path: '/a', value: JSON.parse(`${'['.repeat(maxDepth)}${']'.repeat(maxDepth)}`) as Json },
    ];
    expect(statusOf(() => applyJsonPatch({}, wide))).to.equal(400);
  });

  it('applyJsonPatch copies a large object only once for many operations', () => {
    const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
    const patch = Array.from({ length: 20_000 }, (_, i) => ({ op: 'replace', path: `/k${i}`, value: -i }));
    expect(applyJsonPatch(large, patch)).to.have.property('k19999', -19999);
  }).timeout(3000);
});

describe('applyMergePatch', () => {
  /** Examples in the table of RFC 7396, appendix A. */
  const cases: [target: Json, patch: Json, result: Json][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) {
    it(`applyMergePatch merges ${JSON.stringify(patch)} into ${JSON.stringify(target)}`, () =>
      expect(applyMergePatch(target, patch)).to.deep.equal(result));
  }

  it('applyMergePatch shares unchanged nodes, and returns the same document if nothing changes', () => {
    const target = { a: { b: [1] }, c: { d: 1 } };
    expect((applyMergePatch(target, { c: { d: 2 } }) as JsonObject).a).to.equal(target.a);
    expect(applyMergePatch(target, { c: { d: 1 }, a: { b: [1], gone: null } })).to.equal(target);
  });

  it('applyMergePatch is idempotent', () => {
    fc.assert(
      fc.property(documents, documents, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).to.deep.equal(once);
      }),
    );
  });
});
