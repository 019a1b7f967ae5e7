import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { apiVersion } from '@sluice/module';
import { findModules, sourceOf } from '../../src/modules/find-modules.ts';
import { registerModules } from '../../src/modules/register-modules.ts';
import { Sandbox } from '../support/sandbox.ts';

const code = `
  import { defineModule, httpHandlers, options } from '@sluice/module';
  export const register = (registry) => registry.add(defineModule(httpHandlers, {
    name: 'ranged', help: 'Does nothing.', config: options({}), provision: () => ({ handle: () => {} }),
  }));
`;

describe('API version range of a module package', () => {
  let sandbox: Sandbox;
  let count = 0;
  before(() => {
    sandbox = new Sandbox();
  });
  after(() => sandbox.remove());

  /** Loads a package with the given API version range. Returns the error, or the IDs of the modules that it registers. */
  async function load(range: string | undefined): Promise<unknown> {
    const folder = sandbox.path(`ranged-${++count}`);
    await mkdir(folder);
    await writeFile(`${folder}/index.js`, code);
    const manifest = {
      name: 'ranged',
      version: '3.2.1',
      type: 'module',
      sluice: { entry: './index.js', modules: { 'http.handlers.ranged': {} } },
      ...(range === undefined ? {} : { peerDependencies: { '@sluice/module': range } }),
    };
    await writeFile(`${folder}/package.json`, JSON.stringify(manifest));
    const registry = new Registry();
    const found = findModules({ named: [folder], cwd: sandbox.folder, configuration: sandbox.configuration });
    const [error] = await registerModules(registry, found.map(sourceOf));
    if (error === undefined) return registry.list().map(({ id }) => id);
    expect(registry.list()).to.deep.equal([]);
    expect(registry.reasonUnavailable('http.handlers.ranged')).to.equal(error.message);
    return { errorCode: error.code, message: error.message, where: error.where };
  }

  for (const range of [undefined, `^${apiVersion}`, '>=0.1.0 <2', '*'])
    it(`sluice accepts the API range ${range ?? '(absent)'}, and the package imports the server's own API`, async () => {
      expect(await load(range)).to.deep.equal(['http.handlers.ranged']);
    });

  for (const range of ['^9.0.0', '^0.0.1', '>0.1.0 <0.1.0'])
    it(`sluice rejects the API range ${range}, and reports the package, the range, and the version`, async () => {
      expect(await load(range)).to.deep.equal({
        errorCode: 'ERR_MODULE_API',
        where: 'module package ranged',
        message: `module package ranged: version 3.2.1 requires @sluice/module "${range}", but this server has ${apiVersion}: install a compatible version of the package`,
      });
    });

  it('sluice rejects an invalid API range', async () => {
    expect(await load('newest'))
      .to.have.property('message')
      .that.contains('"newest" in its peerDependencies is not a version range');
  });
});
