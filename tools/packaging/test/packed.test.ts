/** Tests the packing of libraries, and the errors that `npm run test:packed` reports. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { makeLibraryPackage } from '../src/libraries/library-package.ts';
import { publishedPackages, type Manifest } from '../src/libraries/published.ts';
import { faultsOf } from '../src/packed/faults.ts';
import { temporaryFolder } from './support.ts';

describe('packaging of library packages', function () {
  this.timeout(120_000);
  const home = temporaryFolder();
  after(() => home.remove());

  const made = (path: string): { readonly folder: string; readonly manifest: Manifest } => {
    const found = publishedPackages().find((each) => each.path === path);
    if (found === undefined) throw new Error(`${path} is not published`);
    const folder = makeLibraryPackage(found, home.folder);
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest };
  };

  it('published packages contain their license and no workspace-only fields', () => {
    const { folder, manifest } = made('libs/base');
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).to.contain('Apache License');
    expect(existsSync(join(folder, 'dist/tsconfig.lib.tsbuildinfo'))).to.equal(false);
    expect(manifest).to.not.have.any.keys('nx', 'devDependencies');
    expect(manifest.exports?.['.']).to.deep.equal({ types: './dist/index.d.ts', default: './dist/index.js' });
  });

  it('published packages name the repository of the publishing workflow', () => {
    const before = { ...process.env };
    Object.assign(process.env, { GITHUB_SERVER_URL: 'https://forge.example', GITHUB_REPOSITORY: 'us/sluice' });
    try {
      const repository = { type: 'git', url: 'git+https://forge.example/us/sluice.git', directory: 'libs/http1' };
      expect(made('libs/http1').manifest).to.deep.include({ repository });
    } finally {
      process.env = before;
    }
  });

  it('published packages contain the sources of their source maps', () => {
    const { folder } = made('libs/base');
    const map = JSON.parse(readFileSync(join(folder, 'dist/index.js.map'), 'utf8')) as { sources: string[] };
    expect(map.sources.map((each) => existsSync(join(folder, 'dist', each)))).to.deep.equal([true]);
  });

  it('the dependencies of published packages include libraries that are used only in type declarations', () => {
    expect(made('libs/http-app').manifest.dependencies).to.have.property('typebox');
    expect(made('libs/http1').manifest.dependencies).to.not.have.property('typebox');
  });

  describe('packaging and faulty packages', () => {
    const manifest = {
      name: 'wrong',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './more': './dist/more.js' },
      dependencies: { typed: '1.0.0' },
    };
    const wrong = (files: Readonly<Record<string, string>>): string[] => {
      const prefix = join(home.folder, 'wrong');
      const right = { 'package.json': JSON.stringify(manifest), 'README.md': '', LICENSE: '', 'dist/more.js': '' };
      const all = { 'dist/index.js': '', 'dist/index.d.ts': '', ...right, ...files };
      for (const [name, text] of Object.entries(all)) {
        const file = join(prefix, 'node_modules/wrong', name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      mkdirSync(join(prefix, 'node_modules/@types/typed'), { recursive: true });
      return faultsOf(prefix, [{ path: 'libs/wrong', manifest }]);
    };

    it('faultsOf returns no faults for a complete package', () => {
      expect(wrong({ 'dist/index.js': "import 'node:fs'; import './more.js'; import 'typed/part';" })).to.deep.equal(
        [],
      );
    });

    it('faultsOf finds an import of a missing file', () => {
      const faults = wrong({ 'dist/index.js': "export const a = () => import('./gone.js');" });
      expect(faults).to.deep.equal(['wrong: dist/index.js imports ./gone.js, which is not packed']);
    });

    it('faultsOf finds an import of an undeclared package', () => {
      const faults = wrong({ 'dist/index.js': "export * from '@other/part/deep';" });
      expect(faults).to.deep.equal(['wrong: dist/index.js imports @other/part, which is not declared']);
    });

    it('faultsOf finds an undeclared package in type declarations', () => {
      const faults = wrong({ 'dist/index.js': '', 'dist/index.d.ts': "export declare const a: import('typed').A;" });
      expect(faults).to.deep.equal(['wrong: dist/index.d.ts requires @types/typed, which is not declared']);
    });
  });
});
