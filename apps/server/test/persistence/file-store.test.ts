import { constants } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLogger, silentLogger, type Json, type LogEntry } from '@sluice/base';
import { FileStore, type FileStoreOptions } from '../../src/persistence/file-store.ts';
import { formatLine } from '../../src/persistence/journal-line.ts';
import { snapshotHash } from '../../src/persistence/resume.ts';

/** Returns a document of about `size` bytes that contains a number for tests to change. */
function documentOf(value: number, size = 100): Json {
  return { apps: { http: { servers: { s: { routes: [{ value }, ...padding(size)] } } } } };
}

const paddings = new Map<number, Json[]>();

/** Returns the same nodes for all documents of a size, so that documents differ in only one value. */
function padding(size: number): Json[] {
  const found = paddings.get(size) ?? Array.from({ length: size / 100 }, (_, i) => ({ n: i, text: 'x'.repeat(80) }));
  paddings.set(size, found);
  return found;
}

describe('FileStore', () => {
  let folder: string;
  let stores: FileStore[];

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'sluice-store-')), 'sluice');
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(join(folder, '..'), { recursive: true });
  });

  function open(options: Partial<FileStoreOptions> = {}): FileStore {
    const store = new FileStore({ folder, log: silentLogger, ...options });
    stores.push(store);
    return store;
  }
  const resumed = async (): Promise<Json> => (await open().resume())?.document ?? null;
  const files = async (): Promise<string[]> => (await readdir(folder)).sort();
  const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

  it('FileStore.resume returns null if nothing was saved', async () => {
    expect(await open().resume()).to.equal(null);
  });

  it('FileStore saves compact JSON with owner-only permissions', async () => {
    await open().save(documentOf(1));
    expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(1)));
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(folder, 'autosave.json'))).mode & 0o777).to.equal(0o600);
    expect(await resumed()).to.deep.equal(documentOf(1));
  });

  it('FileStore keeps the last configuration after an unload', async () => {
    const store = open();
    await store.save(documentOf(1));
    await store.save(null);
    expect(await resumed()).to.deep.equal(documentOf(1));
  });

  it('FileStore flushes each journal line to disk before the write returns, on Linux', async function () {
    if (process.platform !== 'linux') this.skip();
    const store = open();
    for (let value = 1; value <= 2; value++) await store.save(documentOf(value, 20_000));
    const names = await readdir('/proc/self/fd');
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    const descriptor = names[targets.indexOf(join(folder, 'autosave.journal'))];
    const flags = /flags:\s*([0-7]+)/.exec(await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    expect(Number.parseInt(flags, 8) & constants.O_DSYNC).to.equal(constants.O_DSYNC);
  });

  it('FileStore appends changes of a large document to the journal without changing the snapshot', async () => {
    const store = open();
    await store.save(documentOf(1, 20_000));
    for (let value = 2; value <= 5; value++) await store.save(documentOf(value, 20_000));
    expect(JSON.parse(await text('autosave.json'))).to.deep.equal(documentOf(1, 20_000));
    expect((await text('autosave.journal')).length).to.be.below(1000);
    expect((await stat(join(folder, 'autosave.journal'))).mode & 0o777).to.equal(0o600);
    expect(await resumed()).to.deep.equal(documentOf(5, 20_000));
  });

  it('FileStore rewrites a small document if changes are infrequent', async () => {
    const store = open({ pace: 0 });
    for (let value = 1; value <= 3; value++) {
      await store.save(documentOf(value, 1000));
      expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(value, 1000)));
    }
    expect(await files()).to.deep.equal(['autosave.json']);
  });

  it('FileStore appends frequent changes of a small document to the journal, and soon compacts the journal', async () => {
    const store = open({ pace: 10_000 });
    for (let value = 1; value <= 5; value++) await store.save(documentOf(value, 1000));
    expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(1, 1000)));
    expect(await resumed()).to.deep.equal(documentOf(5, 1000));
    const began = performance.now();
    while ((await files()).length > 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performance.now() - began).to.be.below(4000);
    expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(5, 1000)));
  });

  it('FileStore writes a large change as a snapshot', async () => {
    const store = open();
    await store.save(documentOf(1, 20_000));
    await store.save(documentOf(2, 20_000));
    await store.save(documentOf(3, 30_000));
    expect(await files()).to.deep.equal(['autosave.json']);
    expect(await resumed()).to.deep.equal(documentOf(3, 30_000));
  });

  it('FileStore saves concurrent changes in one write, and resolves all of their promises', async () => {
    const store = open();
    await store.save(documentOf(0, 20_000));
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => store.save(documentOf(i + 1, 20_000)).then(() => order.push(i))),
    );
    expect(order).to.have.length(50);
    expect((await text('autosave.journal')).split('\n').length).to.be.below(6);
    expect(await resumed()).to.deep.equal(documentOf(50, 20_000));
  });

  it('FileStore compacts the journal after a period without changes', async () => {
    const store = open({ idle: 5 });
    await store.save(documentOf(1, 20_000));
    await store.save(documentOf(2, 20_000));
    while ((await files()).includes('autosave.journal')) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(2, 20_000)));
    await store.save(documentOf(3, 20_000));
    expect(await resumed()).to.deep.equal(documentOf(3, 20_000));
  });

  it('FileStore compacts a large journal while changes continue', async () => {
    const store = open({ largeJournal: 2000 });
    const sizes: number[] = [];
    for (let value = 1; value <= 600; value++) {
      await store.save(documentOf(value, 20_000));
      const size = await stat(join(folder, 'autosave.journal')).then(
        (stats) => stats.size,
        () => 0,
      );
      sizes.push(size);
      if (value % 97 === 0) expect(await resumed()).to.deep.equal(documentOf(value, 20_000));
    }
    expect(Math.max(...sizes)).to.be.within(10_000, 60_000);
    expect(await resumed()).to.deep.equal(documentOf(600, 20_000));
  });

  it('FileStore.close leaves a single complete file', async () => {
    const store = open();
    await store.save(documentOf(1, 20_000));
    await store.save(documentOf(2, 20_000));
    await store.close();
    expect(await files()).to.deep.equal(['autosave.json']);
    expect(await text('autosave.json')).to.equal(JSON.stringify(documentOf(2, 20_000)));
  });

  it('FileStore takes over files that another server has written', async () => {
    await open().save(documentOf(1, 20_000));
    const first = stores.pop()!;
    await first.save(documentOf(2, 20_000));
    await open().save(documentOf(3, 20_000));
    expect(await files()).to.deep.equal(['autosave.json']);
    expect(await resumed()).to.deep.equal(documentOf(3, 20_000));
  });

  it('FileStore rejects documents that cannot be written, and saves the next one completely', async () => {
    const store = open();
    await store.save(documentOf(1, 20_000));
    await store.save(documentOf(2, 20_000));
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const failed = await store.save(documentOf(3, 40_000)).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).to.be.instanceOf(Error);
    await rm(folder);
    await store.save(documentOf(4, 20_000));
    expect(await resumed()).to.deep.equal(documentOf(4, 20_000));
  });

  it('FileStore logs a failed compaction without losing changes', async () => {
    const entries: LogEntry[] = [];
    const store = open({
      log: createLogger({ enabled: () => true, write: (entry) => entries.push(entry) }),
      idle: 150,
    });
    await store.save(documentOf(1, 20_000));
    await store.save(documentOf(2, 20_000));
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    while (entries.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(entries[0]!.level).to.equal('warn');
    await rm(folder);
    await store.save(documentOf(3, 30_000));
    expect(await resumed()).to.deep.equal(documentOf(3, 30_000));
  });

  it('FileStore resumes with the last saved document after any sequence of saves (property)', async function () {
    this.timeout(30_000);
    const save = fc.record({
      value: fc.nat(9),
      size: fc.constantFrom(100, 1000, 5000, 5100, 9000),
      wait: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(save, { minLength: 1, maxLength: 25 }), async (saves) => {
        await rm(folder, { recursive: true, force: true });
        const store = new FileStore({ folder, log: silentLogger, largeJournal: 300, smallSnapshot: 500 });
        const waiting: Promise<void>[] = [];
        for (const { value, size, wait } of saves) {
          waiting.push(store.save(documentOf(value, size)));
          if (wait) await waiting.at(-1);
        }
        await Promise.all(waiting);
        const last = saves.at(-1)!;
        expect(await resumed()).to.deep.equal(documentOf(last.value, last.size));
        await store.close();
        expect(await resumed()).to.deep.equal(documentOf(last.value, last.size));
      }),
      { numRuns: 40 },
    );
  });

  describe('FileStore.resume', () => {
    const at = (value: number) => [{ op: 'replace', path: '/value', value }] as const;
    const hashOf = (content: string): string => {
      const hash = snapshotHash();
      hash.update(content);
      return hash.digest();
    };
    const [old, recent] = ['{"value":0}', '{"value":2}'];

    async function write(snapshot: string, ...journal: string[]): Promise<void> {
      await open().save({ any: 'thing' });
      await writeFile(join(folder, 'autosave.json'), snapshot);
      await writeFile(join(folder, 'autosave.journal'), journal.join(''));
    }
    const base = formatLine({ base: hashOf(old) });
    const changes = [1, 2, 3].map((value) => formatLine({ operations: at(value) }));
    const checkpoint = formatLine({ snapshot: hashOf(recent), after: 2 });

    for (const [what, snapshot, journal, value] of [
      ['applies the changes in the journal', old, [base, ...changes], 3],
      ['ignores a truncated last line', old, [base, changes[0]!, changes[1]!.slice(0, -9)], 1],
      ['ignores a last line without a line break', old, [base, changes[0]!, changes[1]!.slice(0, -1)], 1],
      ['applies all changes if an announced snapshot was not written', old, [base, ...changes, checkpoint], 3],
      ['applies only the changes after a new snapshot', recent, [base, ...changes, checkpoint], 3],
      ['treats an empty journal as a missing journal', old, [], 0],
    ] as const) {
      it(`FileStore.resume ${what}`, async () => {
        await write(snapshot, ...journal);
        const saved = await open().resume();
        expect(saved).to.deep.equal({ document: { value }, warnings: [] });
      });
    }

    it('FileStore.resume ignores a journal that belongs to another snapshot, and logs a warning', async () => {
      await write('{"value":7}', base, ...changes);
      const saved = await open().resume();
      expect(saved?.document).to.deep.equal({ value: 7 });
      expect(saved?.warnings.join())
        .to.include(join(folder, 'autosave.journal'))
        .and.include('ignoring the changes in the journal');
    });

    for (const [what, snapshot, journal, place] of [
      [
        'a damaged line before other lines',
        old,
        [base, changes[0]!.replace('1', '8'), changes[1]!],
        'autosave.journal:2: ',
      ],
      [
        'a change that cannot be applied',
        old,
        [base, formatLine({ operations: [{ op: 'remove', path: '/nothing' }] })],
        'autosave.journal: ',
      ],
      ['a snapshot that is not JSON', '{"value":', [], 'autosave.json: '],
    ] as const) {
      it(`FileStore.resume rejects ${what} and names the file`, async () => {
        await write(snapshot, ...journal);
        const error = await open()
          .resume()
          .then(
            () => null,
            (reason: unknown) => reason,
          );
        expect(error).to.include({ code: 'ERR_RESUME' });
        expect((error as Error).message).to.include(place);
      });
    }
  });
});
