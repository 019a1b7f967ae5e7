/** Checks that package READMEs contain valid examples: configurations must load, and imports in code must resolve. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { check } from '../../src/cli/commands/validate.ts';
import { Sandbox } from '../support/sandbox.ts';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const readmes = globSync('{libs,libs/modules,apps,tools,examples}/*/README.md', { cwd: workspace }).sort();

/** READMEs of example programs, which are not packages. */
const ofPrograms = ['examples/fleet/README.md'];

/** Returns the code blocks in the given language. */
function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

describe('READMEs of packages', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  before(async () => {
    sandbox = new Sandbox();
    await sandbox.write('files/note', 'A folder for examples.');
  });
  after(() => sandbox.remove());

  it('every package has a README', () => {
    const packages = globSync('{libs,libs/modules,apps,tools,examples}/*/package.json', { cwd: workspace });
    expect(packages.map((path) => path.replace('package.json', 'README.md')).sort()).to.deep.equal(
      readmes.filter((path) => !ofPrograms.includes(path)),
    );
  });

  for (const path of readmes) {
    const text = readFileSync(join(workspace, path), 'utf8');
    if (path.startsWith('libs/')) {
      it(`README ${path} contains an example`, () => expect(text).to.match(/^(?:```| {4}\S)/m));
    }
    for (const [i, code] of blocksOf(text, 'json').entries()) {
      it(`README ${path} contains a configuration that can be loaded${i === 0 ? '' : ` (${i + 1})`}`, async () => {
        const document = JSON.parse(code.replaceAll('/tmp/sluice-example', sandbox.path('files'))) as Json;
        await check({ document, sources: null });
      });
    }
    for (const code of blocksOf(text, 'ts')) {
      for (const [, names = '', from = ''] of code.matchAll(/import \{([^}]*)\} from '(@sluice\/[^']+)'/g)) {
        it(`README ${path} imports only existing exports of ${from}`, async () => {
          // Extracts the package name without the subpath.
          const folder = join(workspace, 'node_modules', from.split('/').slice(0, 2).join('/'));
          expect(existsSync(folder), from).to.equal(true);
          const values = names.split(',').map((name) => name.trim());
          const wanted = values.filter((name) => name !== '' && !name.startsWith('type '));
          expect(await import(from)).to.include.keys(wanted);
        });
      }
    }
  }
});
