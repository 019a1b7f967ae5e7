import { expect } from 'chai';
import { disk, fileSystems, fileSystemsApp } from '@sluice/http-app';
import { register } from '@sluice/caddy.fs';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { serve, type TestServer } from '@sluice/testing';

const diskModule = defineModule(fileSystems, {
  name: 'disk',
  help: 'The disk, for a test.',
  config: options({}),
  provision: () => disk,
});

const load = (filesystems: Json): Promise<TestServer> =>
  serve(
    { apps: { 'caddy.filesystems': { filesystems } } },
    { register: [register, (registry) => void registry.add(diskModule)] },
  );

describe('caddy.filesystems', () => {
  it('caddy.filesystems finds file systems by name, and uses the disk by default', async () => {
    const server = await load([{ name: 'mine', file_system: { backend: 'disk' } }]);
    const app = server.runtime.app(fileSystemsApp);
    expect(app?.find('mine')).to.equal(disk);
    expect(app?.find('default')).to.equal(disk);
    expect(app?.find('other')).to.equal(undefined);
    await server.close();
  });

  const refused: readonly [filesystems: Json, message: RegExp][] = [
    [[{ file_system: { backend: 'disk' } }], /filesystems\[0\]\.name.*name is missing/],
    [[{ name: 'a' }], /filesystems\[0\]\.file_system.*backend is missing/],
    [[{ name: 'a', file_system: { backend: 'none' } }], /caddy\.fs\.none/],
    [
      [
        { name: 'a', file_system: { backend: 'disk' } },
        { name: 'a', file_system: { backend: 'disk' } },
      ],
      /filesystems\[1\]\.name.*duplicate file system "a"/,
    ],
  ];
  for (const [filesystems, message] of refused) {
    it(`caddy.filesystems rejects ${JSON.stringify(filesystems)}`, async () => {
      const error: unknown = await load(filesystems).then(
        (server) => server.close(),
        (caught: unknown) => caught,
      );
      expect((error as Error | undefined)?.message).to.match(message);
    });
  }
});
