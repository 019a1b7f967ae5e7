import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { replaceAt } from '@sluice/reconciler';
import { serve } from '@sluice/testing';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the memory in use after garbage collection, in bytes. */
async function used(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collect();
    await sleep(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('memory of gradual rollouts', () => {
  it('a rollout that changes one of 10,000 routes uses at most 2 MB and releases it afterward', async function () {
    this.timeout(120_000);
    const routes = Array.from({ length: 10_000 }, (_, i) => ({
      match: [{ host: [`h${i}.example.com`] }],
      handle: [{ handler: 'static_response', body: `site ${i}` }],
    }));
    const document: Json = {
      admin: { listen: '127.0.0.1:0' },
      apps: { http: { servers: { s: { listen: ['127.0.0.1:0'], automatic_https: { disable: true }, routes } } } },
    };
    const server = await serve(document, { register: [], standard: true });
    try {
      const path = ['apps', 'http', 'servers', 's', 'routes', '5000', 'handle', '0', 'body'];
      const roll = (id: string): Promise<void> =>
        server.reconciler.startCanary({
          edit: (current) => replaceAt(current, path, id),
          settings: { id, key: { of: 'connection' }, share: 0.01 },
          onEnd: () => undefined,
        });
      // The first rollout is not measured, because it compiles code.
      await roll('first');
      await server.reconciler.endCanary('first');
      const before = await used();
      await roll('second');
      const during = await used();
      await server.reconciler.endCanary('second');
      await server.runtime.settled();
      for (let i = 0; i < 20; i++) {
        await roll(`again ${i}`);
        await server.reconciler.endCanary(`again ${i}`);
      }
      await server.runtime.settled();
      const after = await used();
      expect(during - before).to.be.lessThan(2_000_000);
      expect(after - before).to.be.lessThan(1_500_000);
    } finally {
      await server.close();
    }
  });
});
