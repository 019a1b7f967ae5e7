import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { buildIsStale } from '../build-is-stale.mjs';
import { isEnough, stampOf } from '../setup.mjs';

describe('workspace script: setup', () => {
  const sets: [stamp: string, run: boolean, all: boolean][] = [
    [stampOf('all', 'lock'), true, true],
    [stampOf('run', 'lock'), true, false],
    [stampOf('all', 'another lock'), false, false],
    ['', false, false],
  ];
  for (const [stamp, run, all] of sets) {
    it(`isEnough returns ${run} for npm start and ${all} for npm test, with the stamp ${JSON.stringify(stamp.slice(0, 14))}`, () => {
      expect(isEnough(stamp, 'run', 'lock')).to.equal(run);
      expect(isEnough(stamp, 'all', 'lock')).to.equal(all);
    });
  }

  describe('workspace script: setup of a build', () => {
    let root = '';
    const write = (file: string, seconds: number, text = ''): void => {
      const path = join(root, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      utimesSync(path, seconds, seconds);
    };

    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'sluice-build-'));
      write('package.json', 1, '{ "workspaces": ["libs/*"] }');
      write('libs/a/package.json', 1, '{ "name": "a" }');
      write('libs/a/src/deep/a.ts', 10);
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it('buildIsStale reports true if a source is newer or the build is incomplete', () => {
      expect(buildIsStale(root), 'without a build').to.equal(false);
      write('apps/server/dist/main.js', 20);
      expect(buildIsStale(root), 'not whole').to.equal(true);
      write('apps/server/dist/tsconfig.lib.tsbuildinfo', 20);
      expect(buildIsStale(root), 'newer than its sources').to.equal(false);
      write('libs/a/src/deep/a.ts', 21);
      expect(buildIsStale(root), 'older than a source').to.equal(true);
    });
  });
});
