import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { readPackages, workspaceRoot } from '@sluice/workspace';
import { releasedChangelog } from '../release/changelog.mjs';

/** Runs a command and returns its output. Uses a file, because nx exits before a pipe is drained. */
async function reported(command: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'));
  const file = openSync(join(folder, 'said'), 'w');
  const child = spawn(process.execPath, command, {
    cwd: workspaceRoot,
    env: { ...process.env, NX_TUI: 'false', NODE_OPTIONS: '' },
    stdio: ['ignore', file, file],
  });
  await once(child, 'exit');
  closeSync(file);
  const said = readFileSync(join(folder, 'said'), 'utf8');
  rmSync(folder, { recursive: true });
  // Removes colors, because nx prints colors if the test environment requests them.
  return stripVTControlCharacters(said);
}

describe('nx plugin: release', function () {
  this.timeout(120_000);

  it('the nx release command in CONTRIBUTING.md sets the same version for all published packages and their dependencies, and creates a commit and a tag', async () => {
    const text = readFileSync(join(workspaceRoot, 'CONTRIBUTING.md'), 'utf8');
    const [, command = ''] = /^npx (nx release minor .*?) +#/m.exec(text) ?? [];
    const nx = join(workspaceRoot, 'node_modules/nx/dist/bin/nx.js');
    const said = await reported([nx, ...command.split(' ').slice(1), '--first-release', '--dry-run']);
    const { version } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as { version: string };
    const [major = '', minor = ''] = version.split('.');
    const next = `${major}.${Number(minor) + 1}.0`;
    expect(said).to.contain(`"version": "${next}"`);
    expect(said).to.contain('Committing changes with git').and.contain('Tagging commit with git');
    const published = readPackages().filter(({ manifest, layer }) => {
      const { private: isPrivate } = manifest as { private?: boolean };
      return isPrivate !== true && layer !== 'tools' && layer !== 'example';
    });
    expect(published.length).to.be.above(40);
    for (const { path } of published) expect(said).to.contain(`UPDATE ${path}/package.json [dry-run]`);
    expect(said).to.contain(`apiVersion = '${next}'`);
    expect(said).to.match(new RegExp(`^\\+ +"@sluice/base": "${next.replaceAll('.', '\\.')}"`, 'm'));
    const left = said
      .split('\n')
      .filter((line) => line.includes(`: "${version}"`) && /^ +"@sluice\/(?!module-)[\w.-]+"/.test(line));
    expect(left).to.deep.equal([]);
  });

  it('nx release moves the unreleased changes below the heading of the version', () => {
    const text = '# Changelog\n\nIntroduction.\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Old.\n';
    expect(releasedChangelog(text, '0.2.0')).to.equal(
      '# Changelog\n\nIntroduction.\n\n## Unreleased\n\n## 0.2.0\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Old.\n',
    );
    expect(() => releasedChangelog('# Changelog\n', '0.2.0')).to.throw('one heading "## Unreleased"');
    const changelog = readFileSync(join(workspaceRoot, 'CHANGELOG.md'), 'utf8');
    expect(releasedChangelog(changelog, '9.8.7')).to.contain('## Unreleased\n\n## 9.8.7\n\n### Added\n');
  });
});
