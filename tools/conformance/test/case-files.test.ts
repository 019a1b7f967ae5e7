import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { withPlayedCases } from '../src/case-files.ts';

describe('cases as they are played', () => {
  it('are those of their files, with the fields of our own left out beside what a case leaves out', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-case-files-'));
    try {
      const file = join(folder, 'handlers.json');
      writeFileSync(
        file,
        JSON.stringify([
          { name: 'one', steps: [] },
          { name: 'two', steps: [], ignore: ['etag'] },
        ]),
      );
      const played: string[] = [];
      const cases = withPlayedCases([file], (copies) => {
        played.push(...copies);
        return copies.map((copy) => JSON.parse(readFileSync(copy, 'utf8')) as unknown);
      });
      expect(played.map((copy) => basename(copy))).to.deep.equal(['handlers.json']);
      expect(cases).to.deep.equal([
        [
          { name: 'one', steps: [], ignore: ['sluice-error'] },
          { name: 'two', steps: [], ignore: ['etag', 'sluice-error'] },
        ],
      ]);
      expect(existsSync(played[0] ?? '')).to.equal(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
