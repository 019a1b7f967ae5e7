import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDirectory, makeDirectorySync } from '../../src/index.ts';

describe('makeDirectory', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'make-directory-'))));
  afterEach(() => rm(root, { recursive: true }));

  const codeOf = (path: string): Promise<string | undefined> =>
    makeDirectory(path).then(
      () => 'created',
      (error: NodeJS.ErrnoException) => error.code,
    );

  it('makeDirectory creates missing parents with the same permissions', async () => {
    await makeDirectory(join(root, 'a/b/c'), 0o750);
    for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, path))).mode & 0o777).to.equal(0o750);
  });

  it('makeDirectory accepts an existing directory, and a link to one', async () => {
    await makeDirectory(join(root, 'a'));
    await symlink(join(root, 'a'), join(root, 'link'));
    expect(await codeOf(join(root, 'a'))).to.equal('created');
    expect(await codeOf(join(root, 'link'))).to.equal('created');
  });

  it('makeDirectory creates a directory once if several callers race', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => codeOf(join(root, 'x/y/z'))));
    expect(new Set(all)).to.deep.equal(new Set(['created']));
  });

  it('makeDirectory fails if a file exists at the path', async () => {
    await writeFile(join(root, 'file'), '');
    expect(await codeOf(join(root, 'file'))).to.equal('EEXIST');
    expect(await codeOf(join(root, 'file/below'))).to.equal('ENOTDIR');
  });

  it('makeDirectory fails below /proc, where a recursive mkdir never settles', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await codeOf('/proc/none/a/b')).to.equal('ENOENT');
  });
});

describe('makeDirectorySync', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'make-directory-'))));
  afterEach(() => rm(root, { recursive: true }));

  it('makeDirectorySync creates missing parents, and accepts an existing directory', async () => {
    makeDirectorySync(join(root, 'a/b'), 0o750);
    makeDirectorySync(join(root, 'a/b'));
    for (const path of ['a', 'a/b']) expect((await stat(join(root, path))).mode & 0o777).to.equal(0o750);
  });

  it('makeDirectorySync throws if a file exists at the path, or if the directory cannot be created', async () => {
    await writeFile(join(root, 'file'), '');
    expect(() => makeDirectorySync(join(root, 'file'))).to.throw('EEXIST');
    expect(() => makeDirectorySync(join(root, 'file/below'))).to.throw('ENOTDIR');
    if (process.platform === 'linux') expect(() => makeDirectorySync('/proc/none/a/b')).to.throw('ENOENT');
  });
});
