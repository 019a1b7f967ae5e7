import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listAt, objectAt, silentLogger, type Json } from '@sluice/base';
import { diff, type Reconciler } from '@sluice/reconciler';
import { ChangeHooks } from '@sluice/registry';
import type { Fragment, FragmentResults, Provider, ProviderHost } from '../src/contract.ts';
import { ProvidedConfig } from '../src/provided-config.ts';
import { Watch } from '../src/watch.ts';

type Layer = (document: Json) => Json;

/**
 * A reconciler that rejects addresses used by both an HTTP server and a layer 4 server. It also rejects routes that contain the name of a
 * missing route.
 */
class TestReconciler {
  readonly hooks = new ChangeHooks(silentLogger);
  changes = 0;
  #document: Json = { apps: { providers: { sources: { http: {}, layer4: {} } } } };
  #effective: Json = this.#document;

  async change(_edit: unknown, { origin, layer }: { readonly origin: string; readonly layer: Layer }): Promise<void> {
    await Promise.resolve();
    this.changes++;
    const next = layer(this.#document);
    const [http = [], layer4 = []] = ['http', 'layer4'].map((app) =>
      Object.values(objectAt(next, ['apps', app, 'servers'])).flatMap((server) => listAt(server, ['listen'])),
    );
    const used = http.find((address) => layer4.includes(address));
    if (used !== undefined) throw new Error(`${JSON.stringify(used)} is in use`);
    if (JSON.stringify(next).includes('missing') && !('routes' in (this.#document as object)))
      throw new Error('no such route');
    const operations = diff(this.#effective, next);
    this.#effective = next;
    this.hooks.layered.call({ origin, operations });
  }

  load(parts: object): void {
    const before = this.#document;
    this.#document = { ...(before as object), ...parts } as Json;
    const change = { revision: 1, time: 0, origin: 'test', by: null, operations: [] };
    this.hooks.committed.call({ ...change, before, document: this.#document });
  }
}

/** A provider whose fragments the test supplies. */
class TestProvider implements Provider {
  readonly results: FragmentResults[] = [];
  readonly started = Promise.withResolvers<ProviderHost>();

  watch(host: ProviderHost, signal: AbortSignal): Promise<void> {
    this.started.resolve(host);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }

  applied(results: FragmentResults): void {
    this.results.push(results);
  }
}

const server = (app: string, listen: string, ...routes: readonly Json[]): Fragment => ({
  object: `${app} ${listen}`,
  config: { apps: { [app]: { servers: { [listen]: { listen: [listen], routes } } } } },
});

async function until(isReached: () => boolean): Promise<void> {
  for (let left = 200; !isReached(); left--) {
    if (left === 0) throw new Error(`not reached: ${isReached.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('provider watch', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sluice-providers-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('the provider is ready after its first objects are active, even if its source has become unavailable', async () => {
    const provided = new ProvidedConfig(silentLogger, directory);
    const held = Promise.withResolvers<void>();
    const hooks = new ChangeHooks(silentLogger);
    provided.serve({ change: () => held.promise, hooks } as unknown as Reconciler);
    const applied = Promise.withResolvers<FragmentResults>();
    const started = Promise.withResolvers<ProviderHost>();
    const provider: Provider = {
      watch: (host, signal) => {
        started.resolve(host);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        });
      },
      applied: applied.resolve,
    };
    const watch = new Watch('one', provider, provided, silentLogger);
    watch.start();
    const host = await started.promise;
    host.replace(new Map([['a', { object: 'a', config: {} }]]));
    host.report(new Error('unreachable'));
    expect(provided.state('one').isReady).to.equal(false);
    held.resolve();
    expect([...(await applied.promise)]).to.deep.equal([['a', null]]);
    await new Promise(setImmediate);
    expect(provided.state('one')).to.deep.include({ isReady: true });
    watch.stop();
    await provided.close();
  });

  describe('provider watch with rejected fragments', () => {
    let provided: ProvidedConfig;
    let reconciler: TestReconciler;
    let [http, layer4] = [new TestProvider(), new TestProvider()];
    let watches: readonly Watch[];
    beforeEach(() => {
      provided = new ProvidedConfig(silentLogger, directory);
      reconciler = new TestReconciler();
      provided.serve(reconciler as unknown as Reconciler);
      [http, layer4] = [new TestProvider(), new TestProvider()];
      watches = [new Watch('http', http, provided, silentLogger), new Watch('layer4', layer4, provided, silentLogger)];
      for (const watch of watches) watch.start();
    });
    afterEach(async () => {
      for (const watch of watches) watch.stop();
      await provided.close();
    });

    it('a provider fragment is applied when another provider removes the conflicting server', async () => {
      const [first, second] = [await http.started.promise, await layer4.started.promise];
      first.replace(new Map([['a', server('http', ':1')]]));
      await until(() => http.results.length === 1);
      second.replace(
        new Map([
          ['x', server('layer4', ':1')],
          ['y', server('layer4', ':2')],
        ]),
      );
      await until(() => layer4.results.length === 1);
      expect([...provided.state('layer4').conflicts.keys()]).to.deep.equal(['x']);
      expect(layer4.results[0]?.get('x')).to.match(/already used/);
      first.update(new Map([['a', null]]));
      await until(() => layer4.results.length === 2);
      expect([...(layer4.results[1] ?? [])]).to.deep.equal([['x', null]]);
      expect(provided.state('layer4').conflicts.size).to.equal(0);
      expect([...provided.state('layer4').applied.keys()].toSorted()).to.deep.equal(['x', 'y']);
    });

    it('a provider fragment is retried after the conflicting server has moved to another address, but not after other changes', async () => {
      const [first, second] = [await http.started.promise, await layer4.started.promise];
      first.replace(new Map([['a', server('http', ':1')]]));
      await until(() => http.results.length === 1);
      second.replace(new Map([['x', server('layer4', ':1')]]));
      await until(() => layer4.results.length === 1);
      const before = reconciler.changes;
      first.update(new Map([['b', server('http', ':1', { n: 1 })]]));
      first.update(new Map([['c', server('http', ':3')]]));
      await until(() => http.results.length === 3);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(reconciler.changes - before).to.equal(2);
      first.update(
        new Map([
          ['a', server('http', ':4')],
          ['b', server('http', ':4')],
        ]),
      );
      await until(() => layer4.results.length === 2);
      expect([...provided.state('layer4').applied.keys()]).to.deep.equal(['x']);
    });

    it('a provider fragment is retried after the document changes', async () => {
      const first = await http.started.promise;
      first.replace(new Map([['a', server('http', ':1', { invoke: 'missing' })]]));
      await until(() => http.results.length === 1);
      expect([...provided.state('http').rejected.keys()]).to.deep.equal(['a']);
      reconciler.load({ routes: {} });
      await until(() => http.results.length === 2);
      expect([...provided.state('http').applied.keys()]).to.deep.equal(['a']);
    });

    it('a provider receives the result of a replaced fragment only once, together with the other results of the batch', async () => {
      const [first, second] = [await http.started.promise, await layer4.started.promise];
      first.replace(new Map([['a', server('http', ':1')]]));
      await until(() => http.results.length === 1);
      second.replace(
        new Map([
          ['x', server('layer4', ':1')],
          ['y', server('layer4', ':2')],
        ]),
      );
      second.update(new Map([['x', server('layer4', ':5')]]));
      await until(() => layer4.results.length === 1);
      expect([...(layer4.results[0] ?? [])].toSorted()).to.deep.equal([
        ['x', null],
        ['y', null],
      ]);
    });
  });
});
