import { expect } from 'chai';
import { keepDraft, restoreDraft, type Draft, type KeptDraft } from '../../src/page/base/kept-draft.ts';
import { merge } from '../../src/page/base/merge.ts';
import type { Json } from '../../src/page/base/json.ts';
import fc from 'fast-check';
import { documents } from './documents.ts';

const base: Json = {
  a: 1,
  list: [1, 2, 3],
  auth: { password: 'one secret', user: 'x' },
  other: { token: 'another one' },
};
const entityTag = '"1"';

/** Returns the draft as restored after the page reloads. */
function kept(draft: Draft): KeptDraft {
  return JSON.parse(JSON.stringify(keepDraft(draft))) as KeptDraft;
}

describe('dashboard drafts that survive a reload', () => {
  it('restoreDraft restores any draft of an unchanged configuration', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const { draft } = restoreDraft(kept({ base: before, entityTag, value: after }), { value: before, entityTag });
        // JSON has no negative zero, so values are normalized first.
        const plain = (value: Json | undefined): unknown => JSON.parse(JSON.stringify(value ?? null));
        expect(plain(draft === null ? before : draft.value)).to.deep.equal(plain(after));
        if (draft !== null) expect(plain(draft.base)).to.deep.equal(plain(before));
      }),
    );
  });

  it('keepDraft omits existing secrets, and restoreDraft restores them from the configuration', () => {
    const value: Json = { ...(base as object), copy: { password: 'another one' }, list: [{ password: 'one secret' }] };
    const stored = kept({ base, entityTag, value });
    expect(JSON.stringify(stored)).to.not.match(/one secret|another one/);
    const { draft, lost } = restoreDraft(stored, { value: base, entityTag });
    expect(draft?.value).to.deep.equal(value);
    expect(lost).to.equal(0);
  });

  it('keepDraft omits new secrets and counts them', () => {
    const value: Json = { ...(base as object), auth: { password: 'brand new', user: 'y' } };
    const stored = kept({ base, entityTag, value });
    expect(JSON.stringify(stored)).to.not.contain('brand new');
    const { draft, lost } = restoreDraft(stored, { value: base, entityTag });
    expect(draft?.value).to.deep.equal({ ...(base as object), auth: { password: 'one secret', user: 'y' } });
    expect(lost).to.equal(1);
  });

  it('restoreDraft detects conflicts if the configuration has changed', () => {
    const stored = kept({ base, entityTag, value: { ...(base as object), a: 2, b: 3 } });
    const current: Json = { ...(base as object), a: 9 };
    const { draft } = restoreDraft(stored, { value: current, entityTag: '"2"' });
    expect(draft?.entityTag).to.equal(entityTag);
    const merged = merge(draft?.base, draft?.value, current);
    expect(merged.conflicts).to.deep.equal([{ path: ['a'], base: 1, mine: 2, theirs: 9 }]);
    expect(merged.value).to.deep.equal({ ...(current as object), b: 3 });
  });

  it('restoreDraft drops a draft that has already been applied', () => {
    const value: Json = { ...(base as object), a: 2 };
    expect(restoreDraft(kept({ base, entityTag, value }), { value, entityTag: '"2"' }).draft).to.equal(null);
  });
});
