import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { fileSystems, type FileFacts, type FileSystem, type FolderEntry, type OpenFile } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { packages } from './site.ts';

const files: Readonly<Record<string, string>> = {
  '/site/a.txt': 'in memory',
  '/site/index.html': 'index',
  '/site/big.bin': 'b'.repeat(400_000),
  '/site/p.js': 'plain',
  '/site/p.js.gz': 'zipped',
  '/site/p.js.gz.md5': '"tag"',
  '/site/d/x.txt': 'x',
};

const factsOf = (mode: number, size: number): FileFacts => ({
  mode,
  size,
  mtimeMs: 1_600_000_000_000,
  ctimeMs: 1_600_000_000_000,
  ino: 0,
});

/** A file system that responds asynchronously, like a network file system. */
class SlowMemory implements FileSystem {
  opened = 0;

  async stat(path: string): Promise<FileFacts | null> {
    await sleep(1);
    if (path.includes('forbidden')) throw Object.assign(new Error('no'), { code: 'EACCES' });
    const text = files[path];
    if (text !== undefined) return factsOf(0o100644, text.length);
    return Object.keys(files).some((name) => name.startsWith(`${path}/`)) ? factsOf(0o040755, 0) : null;
  }

  async open(path: string): Promise<OpenFile> {
    await sleep(1);
    const text = Buffer.from(files[path] ?? '');
    this.opened++;
    return {
      facts: factsOf(0o100644, text.length),
      mtimeNs: 1_600_000_000_000_000_000n,
      read: async (buffer, length, position) => {
        await sleep(1);
        return text.copy(buffer, 0, position, Math.min(text.length, position + length));
      },
      close: () => {
        this.opened--;
      },
    };
  }

  async list(path: string): Promise<FolderEntry[]> {
    return Object.keys(files)
      .filter((name) => name.startsWith(`${path}/`) && !name.slice(path.length + 1).includes('/'))
      .map((name) => ({
        name: name.slice(path.length + 1),
        facts: factsOf(0o100644, 1),
        mtimeNs: 1_600_000_000_000_000_000n,
      }));
  }

  readLink(): string {
    return '';
  }
}

const memory = new SlowMemory();
const memoryModule = defineModule(fileSystems, {
  name: 'memory',
  help: 'Files of a test.',
  config: options({}),
  provision: () => memory,
});

describe('http.handlers.file_server fs', () => {
  let server: TestServer;
  before(async () => {
    const handler: JsonObject = {
      handler: 'file_server',
      root: '/site',
      fs: '{http.request.host}',
      precompressed: { gzip: {} },
      etag_file_extensions: ['.md5'],
      browse: {},
    };
    const config = withRoutes([{ handle: [handler] }]) as { apps: JsonObject };
    const app = { filesystems: [{ name: 'mine', file_system: { backend: 'memory' } }] };
    server = await serve(
      { apps: { ...config.apps, 'caddy.filesystems': app } },
      { register: [...packages, (registry) => void registry.add(memoryModule)] },
    );
  });
  after(() => server.close());
  afterEach(() => expect(memory.opened).to.equal(0));
  const get = (path: string, headers: Record<string, string> = {}, host = 'mine') =>
    server.request({ path, host, headers });

  it('file_server serves files of an asynchronous file system', async () => {
    expect(await get('/a.txt')).to.include({ status: 200, text: 'in memory' });
    expect(await get('/')).to.include({ status: 200, text: 'index' });
    expect((await get('/big.bin')).text.length).to.equal(400_000);
    expect(await get('/big.bin', { Range: 'bytes=399998-' })).to.include({ status: 206, text: 'bb' });
    expect((await get('/none')).status).to.equal(404);
    expect((await get('/forbidden')).status).to.equal(403);
    expect((await get('/d')).headers.get('location')).to.equal('/d/');
  });

  it('file_server finds precompressed files and entity tags in a file system', async () => {
    const response = await get('/p.js', { 'Accept-Encoding': 'gzip' });
    expect(response).to.include({ status: 200, text: 'zipped' });
    expect(response.headers.get('etag')).to.equal('"tag"');
    expect((await get('/p.js', { 'Accept-Encoding': 'gzip', 'If-None-Match': '"tag"' })).status).to.equal(304);
  });

  it('file_server lists directories of a file system', async () => {
    expect((await get('/d/', { Accept: 'application/json' })).text).to.contain('"x.txt"');
  });

  it('file_server returns 404 for an unknown file system, and reads from the disk if the file system is named default', async () => {
    expect((await get('/a.txt', {}, 'other')).status).to.equal(404);
    expect((await get('/a.txt', {}, 'default')).status).to.equal(404);
  });
});
