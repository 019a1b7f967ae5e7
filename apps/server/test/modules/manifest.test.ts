import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect } from 'chai';
import { compile } from '../support/compile.ts';
import { Sandbox } from '../support/sandbox.ts';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

const code = `
import { httpHandlers } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';
export function register(registry) {
  const config = options({ volume: integer('How loud.') });
  registry.add(defineModule(httpHandlers, { name: 'loud', help: 'Shouts.', config, provision: () => null }));
}`;

describe('sluice manifest', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = new Sandbox();
    await sandbox.write('loud/dist/index.js', code);
  });

  afterEach(() => sandbox.remove());

  const write = (content: object | string) => sandbox.write('loud/package.json', content);
  const read = async () => JSON.parse(await readFile(sandbox.path('loud/package.json'), 'utf8')) as object;

  it('sluice manifest generates the manifest from package code, and preserves other fields', async () => {
    await write(
      '{\n\t"name": "loud",\n\t"version": "1.0.0",\n\t"type": "module",\n\t"sluice": {"other": 1, "modules": {"x": {}}}\n}\n',
    );
    expect(await sandbox.run(['manifest', 'loud'])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect(await read()).to.deep.equal({
      name: 'loud',
      version: '1.0.0',
      type: 'module',
      sluice: {
        other: 1,
        modules: {
          'http.handlers.loud': {
            help: 'Shouts.',
            options: {
              type: 'object',
              properties: {
                volume: { type: 'integer', description: 'How loud.' },
                '@id': { type: ['string', 'number'] },
              },
              additionalProperties: false,
            },
          },
        },
        entry: './dist/index.js',
      },
    });
    expect(await readFile(sandbox.path('loud/package.json'), 'utf8')).to.contain('\n\t"name"');
  });

  it('sluice manifest --check reports whether package.json is up to date, without writing', async () => {
    const content = { name: 'loud', version: '1.0.0', type: 'module' };
    await write(content);
    const stale = await sandbox.run(['manifest', '--check', 'loud']);
    expect(stale.code).to.equal(1);
    expect(stale.stderr).to.contain('does not match the code').and.contain('sluice manifest loud');
    expect(await read()).to.deep.equal(content);
    await sandbox.run(['manifest', 'loud']);
    expect(await sandbox.run(['manifest', '--check', 'loud'])).to.include({ code: 0, stderr: '' });
    expect(await sandbox.run(['list-modules', '--skip-standard', '--module', './loud'])).to.include({ code: 0 });
  });

  it('sluice manifest reports errors', async () => {
    const fails = async (): Promise<string> => {
      const { code: ended, stderr } = await sandbox.run(['manifest', 'loud']);
      expect(ended).to.equal(1);
      return stderr;
    };
    expect(await fails()).to.contain('package.json');
    await write('[]');
    expect(await fails()).to.contain('is not a JSON object');
    await write({ name: 'loud', type: 'module', exports: './dist/missing.js' });
    expect(await fails())
      .to.contain('dist/missing.js')
      .and.contain('build the package first');
    await sandbox.write('loud/dist/none.js', 'export function register() {}');
    await write({ name: 'loud', type: 'module', exports: { '.': { default: './dist/none.js' } } });
    expect(await fails()).to.contain('does not register any modules or commands');
  });

  for (const example of ['module-hello', 'guide'])
    it(`sluice manifest --check accepts examples/${example}`, async function () {
      this.timeout(60_000);
      await compile(`examples/${example}`);
      expect(await sandbox.run(['manifest', '--check', join(workspace, 'examples', example)])).to.include({
        code: 0,
        stderr: '',
      });
    });
});
