import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLogger, silentLogger, type LogEntry, type Logger } from '@sluice/base';
import { RequestSamples } from '@sluice/http-observability';
import { ControlBus } from '@sluice/threads';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';
import { SampleFile } from '../../src/persistence/sample-file.ts';

describe('SampleFile', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (): string => join(folder, 'samples.journal');

  const samplesWith = (perRoute = 4): RequestSamples => {
    const samples = new RequestSamples(new ControlBus(silentLogger));
    samples.configure({ perRoute, maxRequests: 100, maxBody: 0, allBodies: false, persist: true });
    return samples;
  };

  /** Saves records, as a server does when it stops. */
  const save = async (...names: string[]): Promise<void> => {
    const samples = samplesWith();
    for (const [i, name] of names.entries()) samples.add(name, JSON.stringify(name), Date.now() - i);
    const file = new SampleFile(samples, silentLogger, folder);
    await file.configure(true);
    await file.close();
  };

  /** Reads records, as a server does when it starts. */
  const restore = async (log: Logger = silentLogger, samples = samplesWith()): Promise<unknown[]> => {
    const file = new SampleFile(samples, log, folder);
    await file.configure(true);
    await file.close();
    return samples.records();
  };

  it('SampleFile restores the records of the previous process from a file that is readable only by its owner', async () => {
    await save('a', 'b');
    expect(statSync(path()).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['samples.journal']);
    expect(await restore()).to.deep.equal(['a', 'b']);
  });

  it('SampleFile restores records that contain Unicode line separators', async () => {
    await save('a\u2028b', 'c\u2029d');
    expect(await restore()).to.deep.equal(['a\u2028b', 'c\u2029d']);
  });

  it('restored request samples count toward the limit of their route', async () => {
    await save('a', 'a', 'a', 'a');
    expect(await restore(silentLogger, samplesWith(2))).to.deep.equal(['a', 'a']);
  });

  it('SampleFile keeps the age of restored records and drops them after a week', async () => {
    const samples = samplesWith();
    samples.add('old', '"old"', Date.now() - 8 * 86_400_000);
    samples.add('new', '"new"');
    const file = new SampleFile(samples, silentLogger, folder);
    await file.configure(true);
    await file.close();
    expect(await restore()).to.deep.equal(['new']);
  });

  it('SampleFile ignores and logs a truncated record, and keeps the other records', async () => {
    await save('a', 'b');
    truncateSync(path(), statSync(path()).size - 4);
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => entries.push(entry) });
    expect(await restore(log)).to.deep.equal(['a']);
    expect(entries.map(({ message }) => message)).to.deep.equal(['ignoring corrupted saved requests']);
  });

  it('SampleFile reads and writes a file only if persistence is enabled', async () => {
    await save('a');
    const before = readFileSync(path(), 'utf8');
    const samples = samplesWith();
    samples.add('b', '"b"');
    const file = new SampleFile(samples, silentLogger, folder);
    await file.configure(false);
    await file.close();
    expect(samples.records()).to.deep.equal(['b']);
    expect(readFileSync(path(), 'utf8')).to.equal(before);
  });

  it('SampleFile deletes the file when persistence is disabled', async () => {
    await save('a');
    const file = new SampleFile(samplesWith(), silentLogger, folder);
    await file.configure(true);
    await file.configure(false);
    await file.close();
    expect(existsSync(path())).to.equal(false);
  });

  it('SampleFile persists the deletion of all records', async () => {
    await save('a');
    const samples = samplesWith();
    const file = new SampleFile(samples, silentLogger, folder);
    await file.configure(true);
    expect(samples.clear()).to.equal(1);
    await file.close();
    expect(await restore()).to.deep.equal([]);
  });
});

describe('apps.http.samples.persist after a restart', () => {
  it('a restarted server returns the requests that the previous process recorded', async function () {
    this.timeout(30_000);
    const sandbox = new Sandbox();
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', config(admin, http, [says('hello')]));
    let server = await TestServer.start(sandbox, ['--config', file], admin, http);
    const persisted = await server.admin('/config/apps/http/samples', { method: 'PUT', body: { persist: true } });
    expect(persisted.status, persisted.text).to.equal(200);
    await server.http('/remembered');
    await server.stop();
    server = await TestServer.start(sandbox, ['--resume'], admin, http);
    expect((await server.admin('/samples')).text).to.include('/remembered');
    await server.stop();
    await sandbox.remove();
  });
});
