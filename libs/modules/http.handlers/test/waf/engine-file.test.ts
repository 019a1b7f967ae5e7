import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { installedEngine } from '../../src/waf/engine-file.ts';

describe('installedEngine', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waf-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [kind, place, script] of [
    ['next to the program, as in an archive', 'usr/bin/waf-engine', 'usr/bin/sluice'],
    ['in lib/sluice, as in a Linux package', 'usr/lib/sluice/waf-engine', 'usr/bin/sluice'],
    ['in the npm package', 'package/engine/waf-engine', 'package/bin/sluice.js'],
  ] as const) {
    it(`installedEngine finds the engine ${kind}`, async () => {
      const file = join(folder, place);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '');
      expect(installedEngine(join(folder, 'usr/bin/sluice'), join(folder, script))).to.equal(file);
    });
  }

  it('installedEngine returns the name of the engine if no engine is installed with the server', () => {
    expect(installedEngine(join(folder, 'usr/bin/sluice'), '')).to.equal('waf-engine');
  });
});
