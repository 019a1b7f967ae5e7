import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readlinkSync, renameSync, statSync, truncateSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { disk, loadFileSender, type Exchange, type ResponseWriter } from '@sluice/http-app';
import type { TestServer } from '@sluice/testing';
import { sendBody } from '../../src/file_server/body.ts';
import { emptyFile, FileStore, storeOf } from '../../src/file_server/file-store.ts';
import { Site } from './site.ts';
import { begin, listen, readAll, type ListeningServer } from './sockets.ts';

// The last chunk is short, so it may remain in a queue.
const big = randomBytes(6 * 1024 * 1024 + 40_000);
const medium = randomBytes(100 * 1024);
/** File size that exceeds the socket buffers. The file is sparse and uses no disk space. */
const huge = 64 * 1024 * 1024;
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the number of file descriptors that are open for files in a directory. */
function openIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !condition(); i++) await sleep(10);
  expect(condition()).to.equal(true);
}

describe('http.handlers.file_server large files', () => {
  let site: Site;
  let server: TestServer;
  let listening: ListeningServer;
  before(async function () {
    if (!existsSync('/proc/self/fd')) this.skip();
    site = new Site({ 'big.bin': big, 'medium.bin': medium, 'huge.bin': '' });
    truncateSync(join(site.root, 'huge.bin'), huge);
    server = await site.serve({ precompressed: { gzip: {} } });
    listening = await listen(server);
  });
  after(async () => {
    await listening?.close();
    await server?.close();
    site?.remove();
  });
  afterEach(() => until(() => openIn(site.folder) === 0));

  it('file_server sends complete large files to many concurrent clients, including slow clients', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, i) => begin(listening.port, i % 2 === 0 ? '/big.bin' : '/medium.bin')),
    );
    await sleep(100);
    const bodies = await Promise.all(responses.map(readAll));
    for (const [i, body] of bodies.entries()) expect(hashOf(body)).to.equal(hashOf(i % 2 === 0 ? big : medium));
    expect(responses.map(({ headers }) => Number(headers['content-length']))).to.deep.equal(
      bodies.map(({ length }) => length),
    );
  });

  it('file_server sends ranges of large files', async () => {
    const headers = { Range: 'bytes=1000000-4000000' };
    expect(hashOf(await readAll(await begin(listening.port, '/big.bin', headers)))).to.equal(
      hashOf(big.subarray(1_000_000, 4_000_001)),
    );
    const several = await begin(listening.port, '/big.bin', { Range: 'bytes=0-299999,5000000-5999999' });
    const body = await readAll(several);
    expect(body.length).to.equal(Number(several.headers['content-length']));
    expect(body.includes(big.subarray(0, 300_000))).to.equal(true);
    expect(body.includes(big.subarray(5_000_000, 6_000_000))).to.equal(true);
  });

  it('file_server sends complete cached large files and ranges to many concurrent clients, including slow clients @long', async () => {
    const content = randomBytes(20 * 1024 * 1024 + 4000);
    site.write('kept.bin', content);
    const path = join(site.root, 'kept.bin');
    await sleep(80);
    for (let i = 0; i < 2; i++) expect(hashOf((await server.request('/kept.bin')).body)).to.equal(hashOf(content));
    expect(storeOf(disk).find(path, statSync(path))?.content?.length).to.equal(content.length);
    const responses = await Promise.all(Array.from({ length: 3 }, () => begin(listening.port, '/kept.bin')));
    await sleep(50);
    for (const response of responses) expect(hashOf(await readAll(response))).to.equal(hashOf(content));
    const part = await begin(listening.port, '/kept.bin', { Range: 'bytes=1000-18000000' });
    expect(hashOf(await readAll(part))).to.equal(hashOf(content.subarray(1000, 18_000_001)));
    const parts = await readAll(await begin(listening.port, '/kept.bin', { Range: 'bytes=0-9,9000000-17999999' }));
    expect(parts.includes(content.subarray(9_000_000, 18_000_000))).to.equal(true);
  });

  it("file_server sends cached large files at the client's read speed", async () => {
    const content = Buffer.alloc(17 * 1024 * 1024);
    const written: number[] = [];
    let take: () => void = () => {};
    const response: Partial<ResponseWriter> = {
      writeHead: () => undefined,
      write: (chunk) => written.push(chunk.length) < 0,
      end: () => written.push(0),
      drained: () => new Promise<void>((resolve) => (take = resolve)),
    };
    const file = emptyFile('/kept.bin', { mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 });
    file.content = content;
    const source = { file, opened: null, store: new FileStore() };
    const whole = [{ start: 0, length: content.length }];
    const sent = sendBody({ response } as Exchange, 200, source, whole);
    for (let pieces = 1; pieces <= 5; pieces++) {
      expect(written.length).to.equal(pieces);
      take();
      await sleep(1);
    }
    await sent;
    expect(written.reduce((sum, each) => sum + each)).to.equal(content.length);
    expect(written.at(-1)).to.equal(0);
  });

  it('file_server closes files whose client disconnects', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => begin(listening.port, '/huge.bin')));
    const open = openIn(site.folder);
    for (const response of responses) response.destroy();
    expect(open).to.equal(5);
    await until(() => openIn(site.folder) === 0);
  });

  it('file_server aborts the response if a file is truncated while it is being sent', async () => {
    const response = await begin(listening.port, '/huge.bin');
    truncateSync(join(site.root, 'huge.bin'), 1000);
    let error: unknown = null;
    await readAll(response).catch((caught: unknown) => {
      error = caught;
    });
    expect(error).to.be.instanceOf(Error);
  });

  it('file_server sends the opened file unchanged, even if the file grows or is replaced', async () => {
    site.write('changing.bin', big);
    const path = join(site.root, 'changing.bin');
    const response = await begin(listening.port, '/changing.bin');
    appendFileSync(path, 'more');
    site.write('next.bin', 'another file');
    renameSync(join(site.root, 'next.bin'), path);
    await sleep(50);
    expect(hashOf(await readAll(response))).to.equal(hashOf(big));
  });

  it('file_server does not cache the content of files that it sends with sendfile', async function () {
    if ((await loadFileSender()) === null) this.skip();
    for (let i = 0; i < 3; i++)
      expect(hashOf(await readAll(await begin(listening.port, '/big.bin')))).to.equal(hashOf(big));
    const path = join(site.root, 'big.bin');
    expect(storeOf(disk).find(path, statSync(path))?.content).to.equal(null);
  });

  it('a connection serves the next request after a file was sent with sendfile', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const paths = ['/big.bin', '/medium.bin', '/big.bin'];
    const bodies = await Promise.all(paths.map(async (path) => readAll(await begin(listening.port, path, {}, agent))));
    agent.destroy();
    expect(bodies.map(hashOf)).to.deep.equal([hashOf(big), hashOf(medium), hashOf(big)]);
  });

  it('file_server closes files immediately after HEAD and conditional requests', async () => {
    const { headers } = await server.request({ path: '/big.bin', method: 'HEAD' });
    const etag = headers.get('etag') as string;
    expect((await server.request({ path: '/big.bin', headers: { 'If-None-Match': etag } })).status).to.equal(304);
    expect((await server.request({ path: '/big.bin', headers: { Range: 'bytes=x' } })).status).to.equal(416);
    expect(openIn(site.folder)).to.equal(0);
  });
});
