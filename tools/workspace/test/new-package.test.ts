import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkBoundaries } from '../boundaries.mjs';
import { newPackage } from '../new-package.mjs';
import { readPackages } from '../packages.mjs';

describe('tools/workspace/new-package', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-package-'));
    writeFileSync(join(root, 'package.json'), JSON.stringify({ workspaces: ['libs/*', 'libs/modules/*'] }));
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ references: [{ path: './libs/zebra' }] }));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('makes packages that keep the boundaries once their references are written', () => {
    newPackage('libs/registry', 'core', root);
    newPackage('libs/modules/http.handlers', 'modules', root);
    expect(checkBoundaries(root, { fix: true })).to.deep.equal([]);
    expect(checkBoundaries(root)).to.deep.equal([]);
    const [registry, handlers] = readPackages(root).sort((a, b) => b.project.localeCompare(a.project));
    expect(registry).to.include({ path: 'libs/registry', project: 'registry', layer: 'core' });
    expect(handlers).to.include({ path: 'libs/modules/http.handlers', project: 'http.handlers', layer: 'modules' });
    expect(handlers?.manifest.peerDependencies).to.deep.equal({ '@sluice/registry': '0.1.0' });
  });

  it('keeps what exists, and lists each package once in the root tsconfig.json', () => {
    newPackage('libs/registry', 'core', root);
    writeFileSync(join(root, 'libs/registry/README.md'), 'mine');
    newPackage('libs/registry', 'core', root);
    expect(readFileSync(join(root, 'libs/registry/README.md'), 'utf8')).to.equal('mine');
    const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    expect(references).to.deep.equal([{ path: './libs/registry' }, { path: './libs/zebra' }]);
  });
});
