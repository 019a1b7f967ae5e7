import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readManifest } from '@sluice/registry';
import { SluiceError } from '@sluice/base';

const base = { name: 'pack', version: '1.2.3' };
const hello = { 'http.handlers.hello': {} };

describe('readManifest', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-manifest-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = (content: unknown): Promise<void> =>
    writeFile(join(folder, 'package.json'), typeof content === 'string' ? content : JSON.stringify(content));

  it('readManifest returns the manifest of a package with absolute paths', async () => {
    const modules = { 'http.handlers.hello': { help: 'Says hello.', options: { type: 'object' } }, app: {} };
    await write({ ...base, sluice: { entry: './dist/index.js', modules } });
    expect(readManifest(folder)).to.deep.equal({
      package: 'pack',
      version: '1.2.3',
      folder,
      entry: join(folder, 'dist/index.js'),
      api: null,
      modules: [
        { id: 'http.handlers.hello', help: 'Says hello.', options: { type: 'object' } },
        { id: 'app', help: '', options: null },
      ],
      commands: [],
    });
  });

  it('readManifest returns the commands of a package without modules', async () => {
    await write({ ...base, sluice: { entry: './index.js', commands: { 'greet-all': { help: 'greet all' } } } });
    expect(readManifest(folder)).to.deep.include({
      modules: [],
      commands: [{ name: 'greet-all', help: 'greet all' }],
    });
  });

  it('readManifest returns the supported versions of @sluice/module', async () => {
    const manifest = { ...base, sluice: { entry: './index.js', modules: hello } };
    await write({ ...manifest, peerDependencies: { '@sluice/module': '^0.1.0', other: '1' } });
    expect(readManifest(folder)).to.have.property('api', '^0.1.0');
    await write({ ...manifest, peerDependencies: { '@sluice/module': 1 } });
    expect(() => readManifest(folder)).to.throw(SluiceError, 'must be a string, not a number');
  });

  it('readManifest returns null for a package without modules', async () => {
    await write(base);
    expect(readManifest(folder)).to.equal(null);
  });

  for (const [what, content, message] of [
    ['invalid JSON', '{', 'cannot be read'],
    ['an array', [], 'must be an object, not an array'],
    ['a manifest that is not an object', { ...base, sluice: 'yes' }, '"sluice" must be an object, not a string'],
    [
      'an unknown key',
      { ...base, sluice: { entry: 'x', modules: hello, main: 'y' } },
      'unknown key "main"; supported: entry, modules and commands',
    ],
    [
      'commands that are not an object',
      { ...base, sluice: { entry: 'x', commands: 1 } },
      '"sluice.commands" must be an object',
    ],
    [
      'a manifest without modules and commands',
      { ...base, sluice: { entry: 'x', commands: {} } },
      '"sluice.modules" must be',
    ],
    [
      'an invalid command name',
      { ...base, sluice: { entry: 'x', commands: { '--greet': { help: '' } } } },
      'is not a command name',
    ],
    [
      'a command without help',
      { ...base, sluice: { entry: 'x', commands: { greet: {} } } },
      'an object with a help string',
    ],
    [
      'a package without a name',
      { version: '1', sluice: { entry: 'x', modules: hello } },
      '"name" must be a string, not nothing',
    ],
    [
      'a package without a version',
      { name: 'x', sluice: { entry: 'x', modules: hello } },
      '"version" must be a string',
    ],
    ['a manifest without an entry', { ...base, sluice: { modules: hello } }, '"sluice.entry" must be a string'],
    [
      'an entry outside the package',
      { ...base, sluice: { entry: '../x.js', modules: hello } },
      '"sluice.entry" must be a file in the package',
    ],
    [
      'a manifest without modules',
      { ...base, sluice: { entry: 'x' } },
      '"sluice.modules" must be an object of module IDs, not nothing',
    ],
    ['an empty modules object', { ...base, sluice: { entry: 'x', modules: {} } }, '"sluice.modules" is empty'],
    [
      'an invalid module ID',
      { ...base, sluice: { entry: 'x', modules: { 'Http..x': {} } } },
      '"Http..x" is not a module ID',
    ],
    [
      'a module that is not an object',
      { ...base, sluice: { entry: 'x', modules: { a: 1 } } },
      '"a" must be an object with help and options, not a number',
    ],
    [
      'an unknown key in a module',
      { ...base, sluice: { entry: 'x', modules: { a: { hlep: '' } } } },
      'unknown key "hlep"; supported: help and options',
    ],
    [
      'a help text that is not a string',
      { ...base, sluice: { entry: 'x', modules: { a: { help: 1 } } } },
      'help must be a string, not a number',
    ],
    [
      'a schema that is not an object',
      { ...base, sluice: { entry: 'x', modules: { a: { options: [] } } } },
      'options must be a JSON Schema, not an array',
    ],
  ] as const) {
    it(`readManifest rejects ${what} and names the file`, async () => {
      await write(content);
      expect(() => readManifest(folder))
        .to.throw(SluiceError, message)
        .with.property('where', join(folder, 'package.json'));
    });
  }
});
