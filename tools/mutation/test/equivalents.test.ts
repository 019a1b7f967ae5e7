import { expect } from 'chai';
import type { Candidate } from '../src/candidates.ts';
import { equivalentOf, staleAmong, type Equivalent } from '../src/equivalents.ts';

const candidate = (line: string, mutated: string, number = 1): Candidate => ({
  file: 'libs/a/src/a.ts',
  mutation: { kind: 'operator', start: 0, end: 1, replacement: '' },
  number,
  line,
  mutated,
});

describe('mutation tool: equivalent mutants', () => {
  const one: Equivalent = { file: 'libs/a/src/a.ts', line: 'a < b', mutated: 'a <= b', reason: 'they are never equal' };
  const line: Equivalent = { file: 'libs/a/src/a.ts', line: 'c + d', kind: 'operator', reason: 'a hash' };

  it('equivalentOf finds an entry by line text, even if the line moved', () => {
    for (const number of [1, 70]) expect(equivalentOf([line, one], candidate('a < b', 'a <= b', number))).to.equal(one);
  });

  it('equivalentOf finds an entry by the kind of mutation', () => {
    expect(equivalentOf([line, one], candidate('c + d', 'c - d'))).to.equal(line);
    const constant = { ...line, kind: 'constant' as const };
    expect(equivalentOf([constant], candidate('c + d', 'c - d'))).to.equal(undefined);
  });

  it('equivalentOf distinguishes several mutations of the same line, and distinguishes files', () => {
    expect(equivalentOf([one], candidate('a < b', 'a > b'))).to.equal(undefined);
    expect(equivalentOf([{ ...one, file: 'libs/b/src/a.ts' }], candidate('a < b', 'a <= b'))).to.equal(undefined);
  });

  it('staleAmong returns the entries of a package whose lines have changed', () => {
    const elsewhere = { ...one, file: 'libs/ab/src/a.ts' };
    expect(staleAmong([one, line, elsewhere], 'libs/a', [candidate('c + d', 'c - d')])).to.deep.equal([one]);
  });
});
