import { MemoryCluster, MemoryStore, type FleetStore } from '@sluice/fleet';
import { storeCases } from '@sluice/fleet/conformance';

describe('a store in memory', () => {
  for (const { title, run } of storeCases) {
    it(title, async () => {
      const cluster = new MemoryCluster();
      const opened: FleetStore[] = [];
      await run(() => {
        const store = new MemoryStore(cluster);
        opened.push(store);
        return store;
      });
      for (const store of opened) await store.close();
    });
  }
});
