import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { Reconciler, noThreads, Runtime, type ConfigStore, type TrafficThreads } from '@sluice/reconciler';
import { apps, defineModule, Registry, type AppliedChange } from '@sluice/registry';
import { Type } from 'typebox';

interface Made {
  readonly reconciler: Reconciler;
  readonly entries: LogEntry[];
  /** Requests sent to the traffic threads. */
  readonly asked: string[];
}

/** Creates a reconciler whose app rejects the value `bad`. The app's leave hook fails if the value is `stuck`. */
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
  return { reconciler: new Reconciler({ registry, runtime, threads, store, log }), entries, asked };
}

const valued = (value: string): Json => ({ apps: { app: { value } } });

async function messageFrom(change: Promise<unknown>): Promise<unknown> {
  return change.then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
}

describe('Reconciler and change hooks', () => {
  it('a change calls the proposed hook, and then either the kept and committed hooks or the refused hook', async () => {
    const life: string[] = [];
    const registry = new Registry();
    registry.hooks.server.tap('test', ({ hooks }) => {
      hooks.proposed.tap('test', ({ origin, by }) => void life.push(`proposed by ${origin} ${by}`));
      hooks.committed.tap('test', ({ revision }) => void life.push(`committed ${revision}`));
      hooks.kept.tap('test', ({ document }) => void life.push(`kept ${JSON.stringify(document)}`));
      hooks.refused.tap('test', (error) => void life.push((error as Error).message));
    });
    const { reconciler } = makeEngine(registry);
    await reconciler.load(valued('a'), { by: 'me' });
    expect(life).to.deep.equal(['proposed by load me', 'kept {"apps":{"app":{"value":"a"}}}', 'committed 1']);
    life.length = 0;
    await messageFrom(reconciler.load(valued('bad')));
    expect(life).to.deep.equal(['proposed by load null', 'apps.app: refused']);
    life.length = 0;
    await reconciler.load(valued('b'), { dryRun: true });
    expect(life).to.deep.equal([]);
    await reconciler.load(valued('b'), { confirmWithin: 60_000 });
    expect(life).to.deep.equal(['proposed by load null', 'committed 2']);
    await reconciler.confirm(2);
    expect(life[2]).to.equal('kept {"apps":{"app":{"value":"b"}}}');
    await reconciler.close();
  });

  it('a change is saved while the threads switch to the new configuration, and completes after both steps', async () => {
    const life: string[] = [];
    const steps = new Map<string, () => void>();
    const step = (name: string): Promise<void> =>
      new Promise((resolve) => {
        life.push(name);
        steps.set(name, resolve);
      });
    const { reconciler } = makeEngine(
      new Registry(),
      { history: null, save: () => step('save'), close: async () => {} },
      { commit: () => step('swap') },
    );
    reconciler.hooks.committed.tap('test', () => void life.push('committed'));
    const done = reconciler.load(valued('a')).then(() => life.push('done'));
    await immediate();
    expect(life).to.deep.equal(['swap', 'save']);
    steps.get('save')?.();
    await immediate();
    expect(life).to.deep.equal(['swap', 'save']);
    steps.get('swap')?.();
    await done;
    expect(life).to.deep.equal(['swap', 'save', 'committed', 'done']);
    await reconciler.close();
  });

  it('a change that the proposed hook rejects is not built', async () => {
    const { reconciler, asked } = makeEngine(new Registry());
    reconciler.hooks.proposed.tapPromise('policy', async ({ after }) => {
      if (JSON.stringify(after).includes('forbidden')) throw new Error('the policy says no');
    });
    expect(await messageFrom(reconciler.load(valued('forbidden')))).to.equal('the policy says no');
    expect([reconciler.document, reconciler.revision, asked]).to.deep.equal([null, 0, []]);
    await reconciler.load(valued('allowed'));
    expect(reconciler.document).to.deep.equal(valued('allowed'));
    await reconciler.close();
  });

  it('a change rejected by the prepared hook is aborted in all threads, and the previous configuration remains active', async () => {
    const { reconciler, asked } = makeEngine(new Registry());
    await reconciler.load(valued('a'));
    asked.length = 0;
    const refused: unknown[] = [];
    reconciler.hooks.refused.tap('test', (error) => void refused.push((error as Error).message));
    reconciler.hooks.prepared.tapPromise('store', async ({ before, after, operations, attempt, confirmWithin }) => {
      await immediate();
      asked.push(`prepared ${attempt} ${confirmWithin}`);
      expect([before, after]).to.deep.equal([valued('a'), valued('b')]);
      expect(operations).to.deep.equal([{ op: 'replace', path: '/apps/app/value', value: 'b' }]);
      throw new Error('the store is away');
    });
    expect(await messageFrom(reconciler.load(valued('b')))).to.equal('the store is away');
    expect(asked).to.deep.equal(['prepare 2', 'prepared 1 null', 'abort 2']);
    expect([reconciler.document, reconciler.revision, refused]).to.deep.equal([valued('a'), 1, ['the store is away']]);
    await messageFrom(reconciler.load(valued('b'), { confirmWithin: 60_000 }));
    expect(asked[4]).to.equal('prepared 1 60000');
    await reconciler.close();
  });

  it('a change remains unconfirmed if the confirming hook rejects it', async () => {
    const { reconciler } = makeEngine(new Registry());
    await reconciler.load(valued('a'));
    await reconciler.load(valued('b'), { confirmWithin: 60_000 });
    const asked: number[] = [];
    let reason: string | null = 'the store is away';
    reconciler.hooks.confirming.tapPromise('store', async ({ revision }) => {
      asked.push(revision);
      if (reason !== null) throw new Error(reason);
    });
    expect(await messageFrom(reconciler.confirm(2))).to.equal('the store is away');
    expect(reconciler.unconfirmed?.revision).to.equal(2);
    reason = null;
    await reconciler.confirm(2);
    expect([reconciler.unconfirmed, asked]).to.deep.equal([null, [2, 2]]);
    await messageFrom(reconciler.confirm(2));
    expect(asked).to.deep.equal([2, 2]);
    await reconciler.close();
  });

  it('a dry run or a failed build does not prepare the change', async () => {
    const { reconciler } = makeEngine(new Registry());
    const prepared: unknown[] = [];
    reconciler.hooks.prepared.tap('test', (change) => void prepared.push(change));
    await reconciler.load(valued('a'), { dryRun: true });
    await messageFrom(reconciler.load(valued('bad')));
    expect(prepared).to.deep.equal([]);
    await reconciler.close();
  });

  it('a dry run fails if its conditions are not met, for example at the start of a rollout', async () => {
    const { reconciler } = makeEngine(new Registry());
    const expected = { exceptHosts: [['a.test']], tests: [], confined: false };
    const rehearsed: unknown[] = [];
    reconciler.hooks.rehearsed.tap('test', (change) => void rehearsed.push(change.expected));
    await reconciler.load(valued('a'), { dryRun: true, expected: () => expected });
    await reconciler.load(valued('a'), { dryRun: true });
    expect(rehearsed).to.deep.equal([expected, null]);
    const refuse = (): never => {
      throw new Error('needs approval');
    };
    expect(await messageFrom(reconciler.load(valued('a'), { dryRun: true, expected: refuse }))).to.equal(
      'needs approval',
    );
    await reconciler.close();
  });

  it('a change becomes active only after the last tap of the prepared hook has completed', async () => {
    const { reconciler, asked } = makeEngine(new Registry());
    reconciler.hooks.prepared.tapPromise('store', async () => {
      await immediate();
      asked.push(`prepared, in force is ${JSON.stringify(reconciler.document)}`);
    });
    await reconciler.load(valued('a'));
    expect(asked).to.deep.equal(['prepare 1', 'prepared, in force is null', 'commit 1']);
    await reconciler.close();
  });

  it('a change that loses a race against another change is reapplied to the current document', async () => {
    const { reconciler } = makeEngine(new Registry());
    await reconciler.load(valued('a'));
    const seen: unknown[] = [];
    reconciler.hooks.prepared.tap('store', ({ op, attempt, origin }) => {
      seen.push([op, attempt, origin]);
      if (origin === 'api' && attempt < 3) throw new Error('lost the race');
    });
    reconciler.hooks.overtaken.tapPromise('store', async ({ op, attempt, error }) => {
      seen.push([op, (error as Error).message]);
      await reconciler.load(valued(`other ${attempt}`), { op: 'theirs', origin: 'fleet' });
      return true;
    });
    const edited: Json[] = [];
    const edit = (document: Json): Json => {
      edited.push(document);
      return valued('mine');
    };
    const { operations } = await reconciler.change(edit, { op: 'mine' });
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
    expect([reconciler.document, reconciler.revision]).to.deep.equal([valued('mine'), 4]);
    await reconciler.close();
  });

  it('a change fails with the error that a tap of the overtaken hook throws', async () => {
    const { reconciler } = makeEngine(new Registry());
    reconciler.hooks.overtaken.tapPromise('store', async ({ error }) => {
      throw new Error(`twice refused: ${(error as Error).message}`);
    });
    expect(await messageFrom(reconciler.load(valued('bad')))).to.equal('twice refused: apps.app: refused');
    expect(await messageFrom(reconciler.load(valued('bad'), { dryRun: true }))).to.equal('apps.app: refused');
    await reconciler.close();
  });

  it('all taps of a hook are called even if one throws, and the error is logged with the name of the tap', async () => {
    const registry = new Registry();
    const seen: AppliedChange[] = [];
    registry.hooks.server.tap('broken package', () => {
      throw new Error('at the start');
    });
    const { reconciler, entries } = makeEngine(registry);
    for (const hook of [reconciler.hooks.committed, reconciler.hooks.kept, reconciler.hooks.refused])
      hook.tap('broken tap', () => {
        throw new Error('broken');
      });
    reconciler.hooks.committed.tap('second', (change) => void seen.push(change));
    const { changed, unsaved } = await reconciler.load(valued('a'));
    expect([changed, unsaved, seen.length]).to.deep.equal([true, null, 1]);
    expect(await messageFrom(reconciler.load(valued('bad')))).to.equal('apps.app: refused');
    const taps = entries.map(({ fields }) => fields['tap']);
    expect(taps).to.deep.equal(['broken package', 'broken tap', 'broken tap', 'broken tap']);
    await reconciler.close();
  });

  it('the client is notified if persisting a change fails', async () => {
    const { reconciler, entries } = makeEngine(new Registry());
    reconciler.hooks.kept.tap('full disk', ({ waitUntil }) => waitUntil(Promise.reject(new Error('no space left'))));
    expect((await reconciler.load(valued('a'))).unsaved).to.equal('no space left');
    expect(entries.map(({ message }) => message)).to.deep.equal(['configuration was applied but could not be saved']);
    await reconciler.close();
  });

  it('the client is notified if the store throws', async () => {
    const save = (): never => {
      throw new Error('the store is closed');
    };
    const { reconciler } = makeEngine(new Registry(), { history: null, save, close: async () => {} });
    expect((await reconciler.load(valued('a'))).unsaved).to.equal('the store is closed');
    await reconciler.close();
  });

  it('a change completes even if a leave hook fails, so that no thread remains in the prepared state', async () => {
    const { reconciler, entries, asked } = makeEngine(new Registry());
    await reconciler.load(valued('stuck'));
    asked.length = 0;
    expect(await messageFrom(reconciler.load({}))).to.equal(null);
    expect(asked).to.deep.equal(['prepare 2', 'commit 2']);
    expect(reconciler.document).to.deep.equal({});
    expect(entries[0]?.fields).to.deep.include({ where: 'apps.app', error: 'no delay today' });
    await reconciler.close();
  });
});
