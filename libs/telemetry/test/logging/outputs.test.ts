import { expect } from 'chai';
import fc from 'fast-check';
import { createLogger, silentLogger, type LogEntry } from '@sluice/base';
import { LogTail, OpenOutputs, RemoteOutputs } from '@sluice/telemetry';
import type { Context, Lease, Pooled, ResourcePool } from '@sluice/registry';
import type { LogOutput, LogWriter } from '@sluice/contracts';
import { ControlBus, type ThreadBus } from '@sluice/threads';
import { attachWorker, delivered } from '../linked-threads.ts';

/** The two ends of a bus within one thread. Messages are copied. */
class Wire {
  readonly reports: unknown[] = [];
  #onReport: ((message: unknown, thread: number) => void) | null = null;

  readonly control = {
    thread: 0,
    onReport: (_topic: unknown, listener: (message: unknown, thread: number) => void) => {
      this.#onReport = listener;
      return () => undefined;
    },
    gather: () => Promise.resolve([]),
  } as unknown as ThreadBus;

  readonly worker = {
    thread: 1,
    onGather: () => () => undefined,
    report: (_topic: unknown, message: unknown) => void this.reports.push(message),
  } as unknown as ThreadBus;

  /** Delivers the sent messages. Shared memory is passed by reference. */
  deliver(): void {
    for (const message of this.reports.splice(0)) this.#onReport?.(message, 1);
  }
}

/** Creates a context with a module. Calling `drop` disposes of the module. */
function moduleContext(): { readonly context: Context; drop(): Promise<void> } {
  const leases: Lease<Pooled>[] = [];
  const acquire = async (pool: ResourcePool<Pooled>, key: string, create: () => Pooled): Promise<Pooled> => {
    const lease = await pool.acquire(key, create);
    leases.push(lease);
    return lease.value;
  };
  return {
    context: { acquire } as unknown as Context,
    drop: async () => {
      for (const lease of leases) lease.retire();
      for (const lease of leases) await lease.release();
    },
  };
}

/** Creates two linked log outputs and records the received lines. */
async function open({ keep = false, bytes = true } = {}) {
  const wire = new Wire();
  const entries: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  const arrived = { text: '', lines: 0, pending: [] as (() => void)[] };
  const output: LogOutput = {
    write: (text, lines) => {
      arrived.text += text;
      arrived.lines += lines;
    },
    close: () => undefined,
  };
  if (bytes)
    output.writeBytes = (taken, lines, release) => {
      arrived.text += taken.toString();
      arrived.lines += lines;
      if (keep) arrived.pending.push(release);
      else release();
    };
  const writer: LogWriter = { key: 'k', open: () => output };
  await new OpenOutputs({ bus: wire.control, log, tail: new LogTail() }).acquire(writer, moduleContext().context);
  const module = moduleContext();
  const remote = new RemoteOutputs(wire.worker);
  const sender = await remote.acquire(writer, module.context);
  return { wire, entries, arrived, remote, sender, drop: module.drop };
}

describe('RemoteOutputs', () => {
  for (const bytes of [true, false]) {
    it(`RemoteOutputs sends complete lines in order, ${bytes ? 'as bytes' : 'as text if an output requires it'}`, async () => {
      const { wire, arrived, remote, sender } = await open({ bytes });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 2000 }), { maxLength: 300 }), (texts) => {
          arrived.text = '';
          arrived.lines = 0;
          const lines = texts.map((text) => `${text.toWellFormed()}\n`);
          for (const line of lines) sender.write(line, 1);
          remote.flush();
          wire.deliver();
          expect(arrived.text).to.equal(lines.join(''));
          expect(arrived.lines).to.equal(lines.length);
          return Promise.resolve();
        }),
        { numRuns: 50 },
      );
    });
  }

  it('RemoteOutputs keeps the order of lines even if a line is longer than a block', async () => {
    const { wire, arrived, remote, sender } = await open();
    const lines = ['a\n', `${'ü'.repeat(300_000)}\n`, 'b\n'];
    for (const line of lines) sender.write(line, 1);
    remote.flush();
    wire.deliver();
    expect(arrived.text === lines.join('')).to.equal(true);
    expect(arrived.lines).to.equal(3);
  });

  it('RemoteOutputs reuses a small number of blocks', async () => {
    const { wire, remote, sender } = await open();
    const memories = new Set<unknown>();
    for (let i = 0; i < 100; i++) {
      sender.write('x'.repeat(1000), 1);
      remote.flush();
      for (const report of wire.reports) memories.add((report as { memory: unknown }).memory);
      wire.deliver();
    }
    expect([...memories].filter((memory) => memory !== null)).to.have.length(1);
  });

  it('RemoteOutputs drops and counts lines while the control thread lags, and then resumes sending', async () => {
    const { wire, entries, arrived, remote, sender } = await open({ keep: true });
    const line = `${'x'.repeat(99)}\n`;
    const sent = 800_000;
    for (let i = 0; i < sent; i++) sender.write(line, 1);
    remote.flush();
    wire.deliver();
    expect(arrived.lines).to.be.within(640_000, 690_000);
    expect(arrived.text.length).to.equal(arrived.lines * line.length);
    const before = arrived.lines;
    for (const release of arrived.pending.splice(0)) release();
    sender.write(line, 1);
    remote.flush();
    wire.deliver();
    expect(arrived.lines).to.equal(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(entries.map(({ fields }) => fields['lines'])).to.deep.equal([sent - before]);
  });

  it('RemoteOutputs sends pending lines when the last log of an output is released', async () => {
    const { wire, arrived, sender, drop } = await open();
    sender.write('last\n', 1);
    await drop();
    wire.deliver();
    expect(arrived.text).to.equal('last\n');
  });

  it('RemoteOutputs sends lines within a few milliseconds even if it is not called again', async () => {
    const { wire, arrived, sender } = await open();
    sender.write('one\n', 1);
    expect(wire.reports).to.deep.equal([]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    wire.deliver();
    expect(arrived.text).to.equal('one\n');
    sender.write('two\n', 1);
    await new Promise((resolve) => setTimeout(resolve, 40));
    wire.deliver();
    expect([arrived.text, arrived.lines]).to.deep.equal(['one\ntwo\n', 2]);
  });
});

describe('OpenOutputs', () => {
  /** Returns a log output that records its calls. */
  function noted(notes: string[], key: string): LogWriter {
    const output: LogOutput = {
      write: (text, lines) => void notes.push(`${key}: ${lines} ${text}`),
      close: () => void notes.push(`${key}: closed`),
    };
    return { key, open: () => output };
  }

  it('OpenOutputs closes an output after its lines have been written and the last thread has released it', async () => {
    const notes: string[] = [];
    const bus = new ControlBus(silentLogger);
    const control = new OpenOutputs({ bus, log: silentLogger, tail: new LogTail() });
    const remote = new RemoteOutputs(attachWorker(bus, 1).bus);
    const [here, there, other] = [moduleContext(), moduleContext(), moduleContext()];
    const own = await control.acquire(noted(notes, 'a'), here.context);
    await control.acquire(noted(notes, 'b'), moduleContext().context);
    const sender = await remote.acquire(noted(notes, 'a'), there.context);
    await remote.acquire(noted(notes, 'b'), other.context);
    own.write('own', 1);
    const dropped = here.drop();
    await delivered();
    expect(notes).to.deep.equal(['a: 1 own']);
    await other.drop();
    await delivered();
    sender.write('last', 3);
    await there.drop();
    await dropped;
    expect(notes).to.deep.equal(['a: 1 own', 'a: 3 last', 'a: closed']);
    const late = await remote.acquire(noted(notes, 'a'), moduleContext().context);
    late.write('too late', 1);
    remote.flush();
    await delivered();
    expect(notes).to.have.length(3);
  });

  it('OpenOutputs counts lines for a closed output as dropped', async () => {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const bus = new ControlBus(silentLogger);
    const control = new OpenOutputs({ bus, log, tail: new LogTail() });
    const remote = new RemoteOutputs(attachWorker(bus, 1).bus);
    const sender = await remote.acquire(noted([], 'a'), moduleContext().context);
    const notes: string[] = [];
    for (let i = 0; i < 3; i++) {
      sender.write('lost', 2);
      remote.flush();
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(entries.map(({ message, fields }) => [message, fields['total']])).to.deep.equal([
      ['log lines dropped in transit between threads', 6],
    ]);
    await control.acquire(noted(notes, 'a'), moduleContext().context);
    sender.write('kept', 1);
    remote.flush();
    await delivered();
    expect(notes).to.deep.equal(['a: 1 kept']);
  });

  it('OpenOutputs separates blocks by thread, including replacement threads', async () => {
    const notes: string[] = [];
    const bus = new ControlBus(silentLogger);
    const control = new OpenOutputs({ bus, log: silentLogger, tail: new LogTail() });
    await control.acquire(noted(notes, 'a'), moduleContext().context);
    const worker = async (thread: number, text: string): Promise<() => void> => {
      const { bus: own, die } = attachWorker(bus, thread);
      const remote = new RemoteOutputs(own);
      const sender = await remote.acquire(noted(notes, 'a'), moduleContext().context);
      for (let i = 0; i < 2; i++) {
        sender.write(`${text}${i}`, 1);
        remote.flush();
      }
      await delivered();
      return die;
    };
    const die = await worker(1, 'x');
    await worker(2, 'y');
    die();
    await worker(1, 'z');
    expect(notes).to.deep.equal(['x0', 'x1', 'y0', 'y1', 'z0', 'z1'].map((text) => `a: 1 ${text}`));
  });
});
