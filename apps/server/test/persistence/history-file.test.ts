import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLogger, type Json } from '@sluice/base';
import { diff, History, shareSubtrees } from '@sluice/reconciler';
import { HistoryFile, historyName } from '../../src/persistence/history-file.ts';

/** Records documents in a history file, and continues the history of a previous process. */
class Recorder {
  readonly #file: HistoryFile;
  readonly history: History;
  document: Json;

  private constructor(file: HistoryFile) {
    this.#file = file;
    this.history = file.past?.history ?? new History();
    this.document = file.past?.document ?? null;
  }

  static async open(folder: string, warnings: string[] = []): Promise<Recorder> {
    const log = createLogger({ enabled: () => true, write: ({ message }) => warnings.push(message) });
    return new Recorder(await HistoryFile.open(folder, log));
  }

  apply(next: Json, isSecret = false): void {
    const before = this.document;
    const after = shareSubtrees(before, next);
    const revision = (this.history.entries[0]?.revision ?? 0) + 1;
    const entry = { revision, time: revision, origin: 'test', by: null, operations: diff(before, after) };
    this.history.record(entry, diff(after, before));
    this.document = after;
    if (isSecret) this.#file.interrupt(after);
    else this.#file.record(entry, after, this.history);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns all documents in the history, by revision. */
  documents(): Record<number, unknown> {
    return Object.fromEntries(
      this.history.entries.map(({ revision }) => [
        revision,
        this.history.documentAt(revision, this.document)?.document ?? 'none',
      ]),
    );
  }
}

describe('HistoryFile', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-history-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const path = (): string => join(folder, historyName);
  const text = (): Promise<string> => readFile(path(), 'utf8');
  const lines = async (): Promise<number> => (await text()).split('\n').length - 1;
  /** Applies documents as a separate process would. */
  const run = async (...documents: Json[]): Promise<void> => {
    const recorder = await Recorder.open(folder);
    for (const document of documents) recorder.apply(document);
    await recorder.close();
  };

  it('HistoryFile restores every document after any number of restarts', async () => {
    const document = fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), fc.array(fc.nat(9), { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(document, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), async (runs) => {
        await rm(path(), { force: true });
        for (const documents of runs) await run(...(documents as Json[]));
        const recorder = await Recorder.open(folder);
        const expected = Object.fromEntries(runs.flat().map((each, i) => [i + 1, { ...each }]));
        expect(plain(recorder.documents())).to.deep.equal(plain(expected));
        await recorder.close();
      }),
      { numRuns: 60 },
    );
  });

  it('HistoryFile is readable only by its owner', async () => {
    await run({ a: 1 });
    expect((await stat(path())).mode & 0o777).to.equal(0o600);
  });

  it('HistoryFile appends one line per change, and is compacted after many changes', async () => {
    await run({ n: 0 });
    const began = await stat(path());
    await run({ n: 1 }, { n: 2 });
    expect(await lines()).to.equal(4);
    expect((await stat(path())).ino).to.equal(began.ino);
    const recorder = await Recorder.open(folder);
    for (let n = 3; n < 1990; n++) recorder.apply({ n });
    await recorder.close();
    expect(await lines()).to.equal(1991);
    await run(...Array.from({ length: 20 }, (_, i) => ({ n: 1990 + i })));
    expect(await lines()).to.equal(101);
    const again = await Recorder.open(folder);
    expect(Object.keys(again.documents())).to.have.length(100);
    expect(again.documents()[1911]).to.deep.equal({ n: 1910 });
    await again.close();
  });

  it('HistoryFile limits its size if changes are large @long', async () => {
    const large = (n: number): Json => Array.from({ length: 1000 }, (_, i) => `${n} ${i} ${'x'.repeat(2000)}`);
    for (let n = 0; n < 48; n += 8) await run(...Array.from({ length: 8 }, (_, i) => large(n + i)));
    // The changes amount to 96 MB in total.
    expect((await stat(path())).size).to.be.lessThan(50 * 1024 * 1024);
    const recorder = await Recorder.open(folder);
    expect(Object.keys(recorder.documents()).length).to.be.greaterThan(3);
    await recorder.close();
  });

  it('HistoryFile silently ignores a last line that was truncated by a crash', async () => {
    await run({ a: 1 }, { a: 2 });
    const whole = await text();
    await appendFile(path(), whole.split('\n')[2]?.slice(0, 40) ?? '');
    const warnings: string[] = [];
    const recorder = await Recorder.open(folder, warnings);
    recorder.apply({ a: 3 });
    await recorder.close();
    expect(warnings).to.deep.equal([]);
    const again = await Recorder.open(folder);
    expect(plain(again.documents())).to.deep.equal({ 1: { a: 1 }, 2: { a: 2 }, 3: { a: 3 } });
    await again.close();
  });

  it('HistoryFile stops reading at a damaged line, and reports the damage', async () => {
    await run({ a: 1 }, { a: 2 }, { a: 3 });
    await writeFile(path(), (await text()).replace(/^(.*\n.*\n.*)2/, '$17'));
    const warnings: string[] = [];
    const recorder = await Recorder.open(folder, warnings);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain(`${path()}:3 is damaged`);
    recorder.apply({ a: 4 });
    await recorder.close();
    const again = await Recorder.open(folder, warnings);
    expect(plain(again.documents())).to.deep.equal({ 1: { a: 1 }, 2: { a: 4 } });
    expect(warnings).to.have.length(1);
    await again.close();
  });

  for (const foreign of ['', 'notes of mine\n', '{"revision":1,"document":null}\n', '\0\0\0\0', 'null\n']) {
    it(`HistoryFile moves a file with ${JSON.stringify(foreign)} aside`, async () => {
      await writeFile(path(), foreign);
      const warnings: string[] = [];
      const recorder = await Recorder.open(folder, warnings);
      recorder.apply({ a: 1 });
      await recorder.close();
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.contain(path());
      expect(await readdir(folder)).to.have.members([historyName, `${historyName}.set-aside`]);
      expect(await readFile(`${path()}.set-aside`, 'utf8')).to.equal(foreign);
    });
  }

  it('HistoryFile does not write changes that are excluded from persistence', async () => {
    const recorder = await Recorder.open(folder);
    recorder.apply({ a: 'before' });
    recorder.apply({ a: 'SECRET' }, true);
    recorder.apply({ a: 'SECRET2' }, true);
    recorder.apply({ a: 'after' });
    recorder.apply({ a: 'later' });
    await recorder.close();
    expect(await text()).to.not.contain('SECRET');
    const again = await Recorder.open(folder);
    expect(plain(again.documents())).to.deep.equal({ 5: { a: 'later' } });
    again.apply({ a: 'more' });
    again.apply({ a: 'SECRET3' }, true);
    await again.close();
    expect(await text()).to.not.contain('SECRET');
    const last = await Recorder.open(folder);
    expect(plain(last.documents())).to.deep.equal({ 5: { a: 'later' }, 6: { a: 'more' } });
    await last.close();
  });

  it('HistoryFile writes pending changes before it skips a change that is excluded from persistence', async () => {
    const recorder = await Recorder.open(folder);
    recorder.apply({ a: 'one' });
    recorder.apply({ a: 'two' });
    recorder.apply({ a: 'SECRET' }, true);
    await recorder.close();
    expect(await text()).to.not.contain('SECRET');
    const again = await Recorder.open(folder);
    expect(plain(again.documents())).to.deep.equal({ 1: { a: 'one' }, 2: { a: 'two' } });
    await again.close();
  });

  it('HistoryFile continues and logs errors if the file is neither readable nor writable', async () => {
    await mkdir(join(path(), 'in the way'), { recursive: true });
    const warnings: string[] = [];
    const recorder = await Recorder.open(folder, warnings);
    recorder.apply({ a: 1 });
    await recorder.close();
    expect(recorder.documents()).to.deep.equal({ 1: { a: 1 } });
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.match(/cannot read the history/);
    expect(warnings[1]).to.match(/failed to write history/);
    expect(await readdir(folder)).to.deep.equal([historyName]);
  });
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
