import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { apps, defineModule, Registry } from '@sluice/registry';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { Reconciler, noThreads, Runtime, type ConfigStore } from '@sluice/reconciler';
import { Type } from 'typebox';

interface Made {
  readonly reconciler: Reconciler;
  /** Documents that have been saved, oldest first. */
  readonly saved: Json[];
  readonly entries: LogEntry[];
  /** Values that the app rejects from now on. */
  readonly refused: Set<string>;
}

function makeEngine(): Made {
  const saved: Json[] = [];
  const entries: LogEntry[] = [];
  const refused = new Set<string>();
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  const app = defineModule(apps, {
    name: 'app',
    help: 'Takes anything that is not refused.',
    config: Type.Record(Type.String(), Type.Unknown()),
    provision(config, context) {
      if (refused.has(String(config['value']))) throw context.error('refused');
      return {};
    },
  });
  const registry = new Registry().add(app);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log });
  const store: ConfigStore = {
    history: null,
    save: async (document) => void saved.push(document),
    close: async () => {},
  };
  return { reconciler: new Reconciler({ registry, runtime, threads: noThreads, store, log }), saved, entries, refused };
}

const valued = (value: string): Json => ({ apps: { app: { value } } });

async function codeOf(change: Promise<unknown>): Promise<unknown> {
  return change.then(
    () => null,
    (error: unknown) => (error as { code: unknown }).code,
  );
}

describe('Reconciler and confirmation of changes', () => {
  let made: Made;
  let reconciler: Reconciler;

  beforeEach(async () => {
    made = makeEngine();
    reconciler = made.reconciler;
    await reconciler.load(valued('first'));
  });

  afterEach(() => reconciler.close());

  it('a change that requires confirmation is active immediately and saved after the confirmation', async () => {
    const { unconfirmed } = await reconciler.load(valued('second'), { confirmWithin: 60_000 });
    expect(unconfirmed).to.include({ revision: 2 });
    expect(reconciler.document).to.deep.equal(valued('second'));
    expect(made.saved).to.deep.equal([valued('first')]);
    expect(await reconciler.confirm(2)).to.deep.equal({ unsaved: null });
    expect(reconciler.unconfirmed).to.equal(null);
    expect(made.saved).to.deep.equal([valued('first'), valued('second')]);
    expect(await codeOf(reconciler.confirm(2))).to.equal('ERR_UNCONFIRMED');
  });

  it('an unconfirmed change is reverted at the deadline, by a separate change', async () => {
    const before = reconciler.document;
    await reconciler.load(valued('second'), { confirmWithin: 20 });
    await sleep(100);
    expect(reconciler.document).to.equal(before);
    expect(reconciler.unconfirmed).to.equal(null);
    expect(reconciler.history.entries.map(({ origin }) => origin)).to.deep.equal([
      'undo of revision 2',
      'load',
      'load',
    ]);
    expect(made.saved).to.deep.equal([valued('first')]);
    expect(await codeOf(reconciler.confirm(2))).to.equal('ERR_UNCONFIRMED');
  });

  it('all other changes except no-ops are rejected while a change awaits confirmation', async () => {
    await reconciler.load(valued('second'), { confirmWithin: 60_000 });
    expect(await codeOf(reconciler.load(valued('third')))).to.equal('ERR_UNCONFIRMED');
    expect(await codeOf(reconciler.load(valued('second'), { force: true }))).to.equal('ERR_UNCONFIRMED');
    expect(await codeOf(reconciler.confirm(1))).to.equal('ERR_UNCONFIRMED');
    expect(await codeOf(reconciler.load(valued('second')))).to.equal(null);
    expect(await codeOf(reconciler.load(valued('third'), { dryRun: true }))).to.equal(null);
    expect(reconciler.document).to.deep.equal(valued('second'));
    expect(reconciler.unconfirmed).to.include({ revision: 2 });
  });

  it('a change that awaits confirmation can be reverted early by a rollback', async () => {
    await reconciler.load(valued('second'), { confirmWithin: 60_000 });
    const { unconfirmed } = await reconciler.load(reconciler.documentAt(1), { confirmWithin: 60_000 });
    expect(unconfirmed).to.equal(null);
    expect(reconciler.unconfirmed).to.equal(null);
    expect(await codeOf(reconciler.load(valued('third')))).to.equal(null);
    expect(made.saved).to.deep.equal([valued('first'), valued('third')]);
  });

  it('a failed revert is logged and retried', async () => {
    await reconciler.load(valued('second'), { confirmWithin: 20 });
    made.refused.add('first');
    await sleep(100);
    expect(reconciler.document).to.deep.equal(valued('second'));
    expect(reconciler.unconfirmed).to.include({ revision: 2 });
    expect(made.entries.filter(({ level }) => level === 'error')).to.have.length(1);
    await reconciler.confirm(2);
  });

  it('a rejected change does not await confirmation', async () => {
    made.refused.add('bad');
    expect(await codeOf(reconciler.load(valued('bad'), { confirmWithin: 60_000 }))).to.equal('ERR_CONFIG');
    expect(reconciler.unconfirmed).to.equal(null);
  });

  it('a change that awaits confirmation is not saved if the server stops', async () => {
    await reconciler.load(valued('second'), { confirmWithin: 60_000 });
    await reconciler.close();
    expect(made.saved).to.deep.equal([valued('first')]);
  });
});
