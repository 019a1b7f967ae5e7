/** Checks that the tests whose titles docs/security.md mentions exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { workspaceRoot } from '../packages.mjs';

const rows = readFileSync(join(workspaceRoot, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-|Attack |Case |Event |Advisory )/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));

describe('table of tests in docs/security.md', () => {
  it('the table of tests in docs/security.md has rows', () => expect(rows.length).to.be.greaterThan(60));

  for (const cells of rows) {
    const last = cells.at(-1) ?? '';
    it(`docs/security.md lists only existing tests for: ${(cells[0] ?? '').slice(0, 70)}`, () => {
      if (cells.length === 3) expect(last).to.match(/\.(?:test|trial)\.ts`|manual:/);
      for (const [, path = '', title = ''] of last.matchAll(/`([^`]+\.(?:test|trial)\.ts)`(?: “([^”]+)”)?/g)) {
        expect(existsSync(join(workspaceRoot, path)), path).to.equal(true);
        if (title !== '') expect(readFileSync(join(workspaceRoot, path), 'utf8'), path).to.contain(title);
      }
    });
  }
});
