import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, silentLogger, type Json, type LogEntry } from '@sluice/base';
import { Reconciler, epochsToken, noThreads, Runtime } from '@sluice/reconciler';
import { appToken, apps, defineModule, options, Registry } from '@sluice/registry';
import { Type } from 'typebox';
import { Confirmation, type Unconfirmed } from '../../src/changes/confirmation.ts';

describe('Reconciler', () => {
  const seen: string[] = [];
  const app = defineModule(apps, {
    name: 'app',
    help: 'Takes anything.',
    config: Type.Record(Type.String(), Type.Unknown()),
    provision: (config) => {
      seen.push(String(config['value']));
      return { value: config['value'] };
    },
  });
  const valued = (value: string): Json => ({ apps: { app: { value } } });
  let reconciler: Reconciler;
  beforeEach(() => {
    seen.length = 0;
    const registry = new Registry().add(app);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  });
  afterEach(() => reconciler.close());

  it('Reconciler returns the values and apps of the active configuration', async () => {
    expect(reconciler.app(appToken('app'))).to.equal(null);
    await reconciler.load(valued('a'));
    expect(reconciler.read(['apps', 'app', 'value'])).to.equal('a');
    expect(reconciler.read(['apps', 'app', 'other'])).to.equal(undefined);
    expect(reconciler.app(appToken<{ value: string }>('app'))).to.deep.equal({ value: 'a' });
    expect(reconciler.app(appToken('missing'))).to.equal(null);
  });

  it('Reconciler finds objects by ID, and returns services of the thread', async () => {
    await reconciler.load({ apps: { app: { value: { '@id': 'mine', n: 1 } } } });
    expect(reconciler.pathOfId('mine')).to.deep.equal(['apps', 'app', 'value']);
    expect(() => reconciler.pathOfId('yours'))
      .to.throw()
      .with.property('status', 404);
    expect(reconciler.service(epochsToken)).to.be.an('object');
    expect(reconciler.service({ name: 'other' })).to.equal(undefined);
  });

  it('Reconciler.documentAt returns documents in the history, and fails with 404 for other revisions', async () => {
    await reconciler.load(valued('a'));
    await reconciler.load(valued('b'));
    expect(reconciler.documentAt(1)).to.deep.equal(valued('a'));
    expect(reconciler.documentAt(2)).to.deep.equal(valued('b'));
    expect(() => reconciler.documentAt(3))
      .to.throw('revision 3 is not in the history')
      .with.property('status', 404);
  });

  it('Reconciler ignores an identical document unless forced', async () => {
    expect((await reconciler.load(valued('a'))).changed).to.equal(true);
    expect((await reconciler.load(valued('a'))).changed).to.equal(false);
    expect(seen).to.deep.equal(['a']);
    await reconciler.load(valued('a'), { force: true });
    expect(seen).to.deep.equal(['a', 'a']);
  });

  it('Reconciler.tryOut provides the apps of a tested document, and keeps the active document', async () => {
    await reconciler.load(valued('a'));
    const shown: unknown[] = [];
    await reconciler.tryOut(valued('b'), async (apps) => void shown.push(apps.app(appToken('app'))));
    expect(shown).to.deep.equal([{ value: 'b' }]);
    expect([reconciler.document, reconciler.app(appToken('app'))]).to.deep.equal([valued('a'), { value: 'a' }]);
  });

  it('a dry run reports the effect of a change without changing anything', async () => {
    await reconciler.load(valued('a'));
    const same = await reconciler.load(valued('a'), { dryRun: true });
    expect(same.changed).to.equal(false);
    expect(same.report).to.not.equal(null);
    const other = await reconciler.load(valued('b'), { dryRun: true });
    expect(other.changed).to.equal(true);
    expect(other.report).to.not.equal(null);
    expect(other.operations).to.have.length(1);
    expect(reconciler.document).to.deep.equal(valued('a'));
    expect((await reconciler.load(valued('a'))).report).to.equal(null);
    expect((await reconciler.load(valued('b'))).report).to.equal(null);
  });
});

describe('Reconciler.close', () => {
  async function closeWith(provision: () => Promise<unknown>, timeout: number): Promise<string[]> {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const registry = new Registry().add(
      defineModule(apps, { name: 'app', help: 'Takes its time.', config: options({}), provision }),
    );
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log });
    let closed = 0;
    const store = { history: null, save: async () => undefined, close: async () => void closed++ };
    const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store, log });
    reconciler.load({ apps: { app: {} } }).catch(() => undefined);
    await reconciler.close(timeout);
    expect(closed).to.equal(1);
    return entries.filter(({ level }) => level === 'error').map(({ message }) => message);
  }

  it('Reconciler.close waits for the change in progress and drops the configuration', async () => {
    expect(await closeWith(() => sleep(5), 60_000)).to.deep.equal([]);
  });

  it('Reconciler.close stops waiting after its timeout, logs the timeout, and closes the store', async () => {
    const late = Promise.withResolvers<void>();
    const messages = await closeWith(() => late.promise, 5);
    late.resolve();
    expect(messages).to.deep.equal(['failed to unload the configuration in time']);
  });
});

describe('Confirmation', () => {
  const change = (deadline: number): Unconfirmed => ({
    revision: 7,
    deadline,
    before: { a: 1 },
    operations: [],
    by: null,
  });

  it('Confirmation waits exactly until the deadline', async () => {
    const undone: number[] = [];
    const confirmation = new Confirmation(async ({ revision }) => void undone.push(revision));
    confirmation.begin(change(Date.now() + 60));
    await sleep(10);
    expect(undone).to.deep.equal([]);
    await sleep(120);
    expect(undone).to.deep.equal([7]);
    confirmation.end();
  });

  it('Confirmation immediately reverts changes that are overdue', async () => {
    const undone: number[] = [];
    const confirmation = new Confirmation(async ({ revision }) => void undone.push(revision));
    confirmation.begin(change(Date.now() - 1000));
    await sleep(20);
    expect(undone).to.deep.equal([7]);
    confirmation.end();
  });

  it('Confirmation does not revert a change that has been confirmed or has ended', async () => {
    const undone: number[] = [];
    const confirmation = new Confirmation(async ({ revision }) => void undone.push(revision));
    confirmation.begin(change(Date.now() + 20));
    expect(() => confirmation.confirm(6))
      .to.throw('revision 6 is not waiting')
      .with.property('status', 409);
    expect(confirmation.confirm(7).revision).to.equal(7);
    expect(confirmation.waiting).to.equal(null);
    confirmation.begin(change(Date.now() + 20));
    confirmation.end();
    await sleep(60);
    expect(undone).to.deep.equal([]);
  });

  it('Confirmation accepts no change other than the revert while a change is pending', () => {
    const confirmation = new Confirmation(async () => undefined);
    expect(confirmation.goesBack({ b: 1 })).to.equal(false);
    const waiting = change(Date.parse('2100-01-01T00:00:00Z'));
    confirmation.begin({ ...waiting, deadline: Date.now() + 60_000 });
    expect(confirmation.goesBack(waiting.before)).to.equal(true);
    expect(confirmation.goesBack({ a: 1 })).to.equal(true);
    expect(() => confirmation.check({ a: 2 })).to.throw('revision 7 is waiting for confirmation until 2');
    confirmation.end();
  });
});
