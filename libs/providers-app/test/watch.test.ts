import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import type { FragmentResults, Provider, ProviderHost } from '../src/contract.ts';
import { ProvidedConfig } from '../src/provided-config.ts';
import { Watch } from '../src/watch.ts';

describe('Watch', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sluice-providers-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('a provider is ready after its first objects are in effect, although its source has become unavailable', async () => {
    const provided = new ProvidedConfig(silentLogger, directory);
    const held = Promise.withResolvers<void>();
    provided.serve({ change: () => held.promise } as unknown as Reconciler);
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
});
