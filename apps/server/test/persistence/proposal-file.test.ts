import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Proposal } from '@sluice/admin-api';
import { silentLogger } from '@sluice/base';
import { ProposalFile } from '../../src/persistence/proposal-file.ts';

describe('ProposalFile', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (): string => join(folder, 'proposals.journal');
  const open = (): ProposalFile => new ProposalFile(folder, silentLogger);
  const proposal = (id: number, state: Proposal['state'] = 'open'): Proposal => ({
    ...{ id, state, title: 't', reason: '', by: 'agent', at: 1, operations: [], evidence: [], report: null },
    ...{ closedBy: null, closedAt: null, revision: null, rollout: null },
  });

  it('ProposalFile returns the latest state of each proposal', async () => {
    const file = open();
    await file.save(proposal(1), [proposal(1)]);
    await file.save(proposal(2), [proposal(1), proposal(2)]);
    await file.save(proposal(1, 'applied'), [proposal(1, 'applied'), proposal(2)]);
    expect(await open().read()).to.deep.equal([proposal(1, 'applied'), proposal(2)]);
    expect(statSync(path()).mode & 0o777).to.equal(0o600);
  });

  it('ProposalFile ignores a truncated line, and rewrites the file before appending', async () => {
    await open().save(proposal(1), [proposal(1)]);
    appendFileSync(path(), '12345678 {"id":2,"evid');
    const file = open();
    const known = await file.read();
    expect(known).to.deep.equal([proposal(1)]);
    await file.save(proposal(2), [...known, proposal(2)]);
    expect(await open().read()).to.deep.equal([proposal(1), proposal(2)]);
    expect(readFileSync(path(), 'utf8').split('\n')).to.have.length(3);
  });

  it('ProposalFile preserves Unicode line separators in text', async () => {
    const separated = { ...proposal(1), title: 'a\u2028b\u2029c\rd\ne' };
    await open().save(separated, [separated]);
    expect(await open().read()).to.deep.equal([separated]);
  });

  it('ProposalFile returns no proposals if the file does not exist', async () => {
    expect(await open().read()).to.deep.equal([]);
  });
});
