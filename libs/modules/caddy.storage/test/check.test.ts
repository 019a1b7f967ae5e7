import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { storageSection } from '@sluice/reconciler';
import { register } from '@sluice/caddy.storage';
import { findingsOf } from '@sluice/testing';

describe('storage-not-writable', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-storage-'));
    await writeFile(join(folder, 'file'), '');
  });
  after(() => rm(folder, { recursive: true }));

  const findings = (root: string) =>
    findingsOf({ storage: { module: 'file_system', root } }, [
      register,
      (registry) => void registry.addSection(storageSection),
    ]);

  it('the lint check storage-not-writable accepts directories that exist or can be created', async () => {
    expect(await findings(folder)).to.be.empty;
    expect(await findings(join(folder, 'a/b/c'))).to.be.empty;
  });

  it('the lint check storage-not-writable reports a directory that cannot be created', async () => {
    const [found] = await findings(join(folder, 'file/below'));
    expect(found).to.include({ check: 'storage-not-writable', path: 'storage.root' });
    expect(found?.message).to.match(/file\/below is not writable: .*file is not a directory/);
  });

  it('the lint check storage-not-writable reports directories without write permission', async function () {
    if (process.getuid?.() === 0) this.skip();
    await chmod(folder, 0o500);
    expect((await findings(join(folder, 'new')))[0]?.message).to.match(/is not writable: .*EACCES/);
    await chmod(folder, 0o700);
  });
});
