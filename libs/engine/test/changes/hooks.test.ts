import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { Engine, noThreads, Runtime, type ConfigStore, type TrafficThreads } from '@sluice/engine';
import { apps, defineModule, Registry, type AppliedChange } from '@sluice/registry';
import { Type } from 'typebox';

interface Made {
  readonly engine: Engine;
  readonly entries: LogEntry[];
  /** What the traffic threads were asked for. */
  readonly asked: string[];
}

/** The app refuses the value `bad`, and fails in its last delay where it has the value `stuck`. */
function makeEngine(registry: Registry, store: ConfigStore | null = null, others: Partial<TrafficThreads> = {}): Made {
  const entries: LogEntry[] = [];
  const asked: string[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  registry.add(
    defineModule(apps, {
      name: 'app',
      help: 'Has a value.',
      config: Type.Record(Type.String(), Type.Unknown()),
      provision({ value }, context) {
        if (value === 'bad') throw context.error('refused');
        if (value === 'stuck') context.onLeave(() => Promise.reject(new Error('no delay today')));
        return {};
      },
    }),
  );
  const threads: TrafficThreads = {
    ...noThreads,
    prepare: async ({ sequence }) => void asked.push(`prepare ${sequence}`),
    commit: async (sequence) => void asked.push(`commit ${sequence}`),
    abort: async (sequence) => void asked.push(`abort ${sequence}`),
    ...others,
  };
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log });
  return { engine: new Engine({ registry, runtime, threads, store, log }), entries, asked };
}

const valued = (value: string): Json => ({ apps: { app: { value } } });

async function messageFrom(change: Promise<unknown>): Promise<unknown> {
  return change.then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
}

describe('the life of a change', () => {
  it('goes from proposed to kept and committed, or to refused', async () => {
    const life: string[] = [];
    const registry = new Registry();
    registry.hooks.server.tap('test', ({ hooks }) => {
      hooks.proposed.tap('test', ({ origin, by }) => void life.push(`proposed by ${origin} ${by}`));
      hooks.committed.tap('test', ({ revision }) => void life.push(`committed ${revision}`));
      hooks.kept.tap('test', ({ document }) => void life.push(`kept ${JSON.stringify(document)}`));
      hooks.refused.tap('test', (error) => void life.push((error as Error).message));
    });
    const { engine } = makeEngine(registry);
    await engine.load(valued('a'), { by: 'me' });
    expect(life).to.deep.equal(['proposed by load me', 'kept {"apps":{"app":{"value":"a"}}}', 'committed 1']);
    life.length = 0;
    await messageFrom(engine.load(valued('bad')));
    expect(life).to.deep.equal(['proposed by load null', 'apps.app: refused']);
    life.length = 0;
    await engine.load(valued('b'), { dryRun: true });
    expect(life).to.deep.equal([]);
    await engine.load(valued('b'), { confirmWithin: 60_000 });
    expect(life).to.deep.equal(['proposed by load null', 'committed 2']);
    await engine.confirm(2);
    expect(life[2]).to.equal('kept {"apps":{"app":{"value":"b"}}}');
    await engine.close();
  });

  it('is saved while the threads swap, and done when both are', async () => {
    const life: string[] = [];
    const steps = new Map<string, () => void>();
    const step = (name: string): Promise<void> =>
      new Promise((resolve) => {
        life.push(name);
        steps.set(name, resolve);
      });
    const { engine } = makeEngine(
      new Registry(),
      { history: null, save: () => step('save'), close: async () => {} },
      { commit: () => step('swap') },
    );
    engine.hooks.committed.tap('test', () => void life.push('committed'));
    const done = engine.load(valued('a')).then(() => life.push('done'));
    await immediate();
    expect(life).to.deep.equal(['swap', 'save']);
    steps.get('save')?.();
    await immediate();
    expect(life).to.deep.equal(['swap', 'save']);
    steps.get('swap')?.();
    await done;
    expect(life).to.deep.equal(['swap', 'save', 'committed', 'done']);
    await engine.close();
  });

  it('is refused where it is proposed, before anything is built', async () => {
    const { engine, asked } = makeEngine(new Registry());
    engine.hooks.proposed.tapPromise('policy', async ({ after }) => {
      if (JSON.stringify(after).includes('forbidden')) throw new Error('the policy says no');
    });
    expect(await messageFrom(engine.load(valued('forbidden')))).to.equal('the policy says no');
    expect([engine.document, engine.revision, asked]).to.deep.equal([null, 0, []]);
    await engine.load(valued('allowed'));
    expect(engine.document).to.deep.equal(valued('allowed'));
    await engine.close();
  });

  it('is refused where it is prepared: all threads drop it, and what was in force goes on', async () => {
    const { engine, asked } = makeEngine(new Registry());
    await engine.load(valued('a'));
    asked.length = 0;
    const refused: unknown[] = [];
    engine.hooks.refused.tap('test', (error) => void refused.push((error as Error).message));
    engine.hooks.prepared.tapPromise('store', async ({ before, after, operations, attempt, confirmWithin }) => {
      await immediate();
      asked.push(`prepared ${attempt} ${confirmWithin}`);
      expect([before, after]).to.deep.equal([valued('a'), valued('b')]);
      expect(operations).to.deep.equal([{ op: 'replace', path: '/apps/app/value', value: 'b' }]);
      throw new Error('the store is away');
    });
    expect(await messageFrom(engine.load(valued('b')))).to.equal('the store is away');
    expect(asked).to.deep.equal(['prepare 2', 'prepared 1 null', 'abort 2']);
    expect([engine.document, engine.revision, refused]).to.deep.equal([valued('a'), 1, ['the store is away']]);
    await messageFrom(engine.load(valued('b'), { confirmWithin: 60_000 }));
    expect(asked[4]).to.equal('prepared 1 60000');
    await engine.close();
  });

  it('waits on where its confirmation is refused', async () => {
    const { engine } = makeEngine(new Registry());
    await engine.load(valued('a'));
    await engine.load(valued('b'), { confirmWithin: 60_000 });
    const asked: number[] = [];
    let reason: string | null = 'the store is away';
    engine.hooks.confirming.tapPromise('store', async ({ revision }) => {
      asked.push(revision);
      if (reason !== null) throw new Error(reason);
    });
    expect(await messageFrom(engine.confirm(2))).to.equal('the store is away');
    expect(engine.unconfirmed?.revision).to.equal(2);
    reason = null;
    await engine.confirm(2);
    expect([engine.unconfirmed, asked]).to.deep.equal([null, [2, 2]]);
    await messageFrom(engine.confirm(2));
    expect(asked).to.deep.equal([2, 2]);
    await engine.close();
  });

  it('is not prepared while it is tried alone, nor where it could not be built', async () => {
    const { engine } = makeEngine(new Registry());
    const prepared: unknown[] = [];
    engine.hooks.prepared.tap('test', (change) => void prepared.push(change));
    await engine.load(valued('a'), { dryRun: true });
    await messageFrom(engine.load(valued('bad')));
    expect(prepared).to.deep.equal([]);
    await engine.close();
  });

  it('is in force after the last tap on what is prepared, not before', async () => {
    const { engine, asked } = makeEngine(new Registry());
    engine.hooks.prepared.tapPromise('store', async () => {
      await immediate();
      asked.push(`prepared, in force is ${JSON.stringify(engine.document)}`);
    });
    await engine.load(valued('a'));
    expect(asked).to.deep.equal(['prepare 1', 'prepared, in force is null', 'commit 1']);
    await engine.close();
  });

  it('is tried again on the document of then, where it was overtaken by another', async () => {
    const { engine } = makeEngine(new Registry());
    await engine.load(valued('a'));
    const seen: unknown[] = [];
    engine.hooks.prepared.tap('store', ({ op, attempt, origin }) => {
      seen.push([op, attempt, origin]);
      if (origin === 'api' && attempt < 3) throw new Error('lost the race');
    });
    engine.hooks.overtaken.tapPromise('store', async ({ op, attempt, error }) => {
      seen.push([op, (error as Error).message]);
      await engine.load(valued(`other ${attempt}`), { op: 'theirs', origin: 'fleet' });
      return true;
    });
    const edited: Json[] = [];
    const edit = (document: Json): Json => {
      edited.push(document);
      return valued('mine');
    };
    const { operations } = await engine.change(edit, { op: 'mine' });
    expect(edited).to.deep.equal([valued('a'), valued('other 1'), valued('other 2')]);
    expect(seen).to.deep.equal([
      ['mine', 1, 'api'],
      ['mine', 'lost the race'],
      ['theirs', 1, 'fleet'],
      ['mine', 2, 'api'],
      ['mine', 'lost the race'],
      ['theirs', 1, 'fleet'],
      ['mine', 3, 'api'],
    ]);
    expect(operations).to.deep.equal([{ op: 'replace', path: '/apps/app/value', value: 'mine' }]);
    expect([engine.document, engine.revision]).to.deep.equal([valued('mine'), 4]);
    await engine.close();
  });

  it('fails with the error of the tap that does not have it tried again', async () => {
    const { engine } = makeEngine(new Registry());
    engine.hooks.overtaken.tapPromise('store', async ({ error }) => {
      throw new Error(`twice refused: ${(error as Error).message}`);
    });
    expect(await messageFrom(engine.load(valued('bad')))).to.equal('twice refused: apps.app: refused');
    expect(await messageFrom(engine.load(valued('bad'), { dryRun: true }))).to.equal('apps.app: refused');
    await engine.close();
  });

  it('calls every tap although one throws, and logs which', async () => {
    const registry = new Registry();
    const seen: AppliedChange[] = [];
    registry.hooks.server.tap('broken package', () => {
      throw new Error('at the start');
    });
    const { engine, entries } = makeEngine(registry);
    for (const hook of [engine.hooks.committed, engine.hooks.kept, engine.hooks.refused])
      hook.tap('broken tap', () => {
        throw new Error('broken');
      });
    engine.hooks.committed.tap('second', (change) => void seen.push(change));
    const { changed, unsaved } = await engine.load(valued('a'));
    expect([changed, unsaved, seen.length]).to.deep.equal([true, null, 1]);
    expect(await messageFrom(engine.load(valued('bad')))).to.equal('apps.app: refused');
    const taps = entries.map(({ fields }) => fields['tap']);
    expect(taps).to.deep.equal(['broken package', 'broken tap', 'broken tap', 'broken tap']);
    await engine.close();
  });

  it('tells the client of work on keeping it that failed', async () => {
    const { engine, entries } = makeEngine(new Registry());
    engine.hooks.kept.tap('full disk', ({ waitUntil }) => waitUntil(Promise.reject(new Error('no space left'))));
    expect((await engine.load(valued('a'))).unsaved).to.equal('no space left');
    expect(entries.map(({ message }) => message)).to.deep.equal([
      'the configuration was applied but could not be saved',
    ]);
    await engine.close();
  });

  it('tells the client of a store that throws', async () => {
    const save = (): never => {
      throw new Error('the store is closed');
    };
    const { engine } = makeEngine(new Registry(), { history: null, save, close: async () => {} });
    expect((await engine.load(valued('a'))).unsaved).to.equal('the store is closed');
    await engine.close();
  });

  it('goes on when a part fails in its last delay: no thread stays prepared', async () => {
    const { engine, entries, asked } = makeEngine(new Registry());
    await engine.load(valued('stuck'));
    asked.length = 0;
    expect(await messageFrom(engine.load({}))).to.equal(null);
    expect(asked).to.deep.equal(['prepare 2', 'commit 2']);
    expect(engine.document).to.deep.equal({});
    expect(entries[0]?.fields).to.deep.include({ where: 'apps.app', error: 'no delay today' });
    await engine.close();
  });
});
