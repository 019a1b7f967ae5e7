import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { Reconciler, History, noThreads, Runtime, type ConfigStore } from '@sluice/reconciler';
import { ChangeHooks, Registry } from '@sluice/registry';
import { persistChanges } from '../../src/changes/persist-changes.ts';

describe('persistChanges', () => {
  const calls: string[] = [];
  const text = (document: Json): string => JSON.stringify(document);
  const engines: Reconciler[] = [];
  beforeEach(() => calls.splice(0));
  afterEach(async () => {
    for (const reconciler of engines.splice(0)) await reconciler.close();
  });

  function storeOf(history: ConfigStore['history'], save: () => void = () => undefined): ConfigStore {
    return {
      history,
      save: async (document, operations) => {
        calls.push(`save ${text(document)} of ${operations.length}`);
        save();
      },
      close: async () => undefined,
    };
  }
  function open(store: ConfigStore): Reconciler {
    const registry = new Registry();
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store, log: silentLogger });
    engines.push(reconciler);
    return reconciler;
  }
  const recording: ConfigStore['history'] = {
    past: null,
    record: ({ revision, origin, by }, document, history) =>
      calls.push(`record ${revision} ${origin} ${by} ${text(document)}, ${history.entries.length} entries`),
    interrupt: (document) => calls.push(`interrupt ${text(document)}`),
  };

  it('persistChanges saves every document and its change', async () => {
    const reconciler = open(storeOf(recording));
    await reconciler.load({ '@id': 'one' }, { by: 'me' });
    await reconciler.change(() => ({ '@id': 'two' }));
    expect(calls).to.deep.equal([
      'save {"@id":"one"} of 1',
      'record 1 load me {"@id":"one"}, 1 entries',
      'save {"@id":"two"} of 1',
      'record 2 api null {"@id":"two"}, 2 entries',
    ]);
  });

  const documents: [document: Json, saved: boolean][] = [
    [null, true],
    [{ '@id': 'a' }, true],
    [{ admin: null }, true],
    [{ admin: {} }, true],
    [{ admin: { config: null } }, true],
    [{ admin: { config: {} } }, true],
    [{ admin: { config: { persist: null } } }, true],
    [{ admin: { config: { persist: true } } }, true],
    [{ admin: { config: { persist: false } } }, false],
  ];
  for (const [document, saved] of documents)
    it(`persistChanges ${saved ? 'saves' : 'does not save'} ${text(document)}`, () => {
      const change = { revision: 1, time: 0, origin: 'api', by: null, operations: [], before: null, document } as const;
      for (const history of [recording, null]) {
        const hooks = new ChangeHooks(silentLogger);
        persistChanges(storeOf(history), new History(), hooks);
        hooks.kept.call({ document, operations: [], waitUntil: () => undefined });
        hooks.committed.call(change);
      }
      const save = `save ${text(document)} of 0`;
      expect(calls).to.deep.equal(
        saved ? [save, `record 1 api null ${text(document)}, 0 entries`, save] : [`interrupt ${text(document)}`],
      );
    });

  it('persistChanges reports that the store failed', async () => {
    const reconciler = open(
      storeOf(null, () => {
        throw new Error('the disk is full');
      }),
    );
    const { unsaved } = await reconciler.load({ '@id': 'a' });
    expect(unsaved).to.include('the disk is full');
    expect(reconciler.document).to.deep.equal({ '@id': 'a' });
  });
});
