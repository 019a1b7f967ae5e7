import { resolve } from 'node:path';
import { expect } from 'chai';
import { candidatesOf } from '../src/candidates.ts';
import { core } from '../src/core.ts';
import { readEquivalents, staleAmong } from '../src/equivalents.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('mutation tool: list of equivalent mutants', () => {
  const listed = readEquivalents();

  for (const folder of Object.keys(core))
    it(`the list of equivalent mutants contains only existing mutants of ${folder}`, () => {
      const stale = staleAmong(listed, folder, candidatesOf(root, folder));
      expect(
        stale.map(({ file, line }) => `${file}: ${line}`),
        'lines that have changed: look again whether a test kills their mutants',
      ).to.deep.equal([]);
    });

  it('the list of equivalent mutants gives a reason for each unique entry of a core package', () => {
    for (const { file, line, reason, mutated, kind } of listed) {
      expect(reason, line).to.match(/\w.*\.$/);
      expect(Object.keys(core), file).to.include(file.split('/').slice(0, 2).join('/'));
      expect((mutated === undefined) !== (kind === undefined), line).to.equal(true);
    }
    const keys = listed.map(({ file, line, mutated, kind }) => JSON.stringify([file, line, mutated, kind]));
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
