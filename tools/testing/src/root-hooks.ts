/**
 * Mocha root hooks, configured in `.mocharc.json`. A top-level suite fails if it leaves open a socket, a server, a timer, a child process,
 * a worker or a file watcher.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Suite } from 'mocha';

/** Time allowed for a suite to release its resources, in milliseconds. */
const grace = 5000;

/**
 * Kinds of resources to check, by their names in `process.getActiveResourcesInfo()`. File reads and DNS lookups are excluded because they
 * finish on their own.
 */
const kinds = /^(?:TCP|TLS|Pipe|UDP|Timeout|ProcessWrap|FSEvent|StatWatcher|MessagePort)/;

/** Number of running worker threads, which Node does not list among the active resources. */
let workers = 0;
process.on('worker', (worker) => {
  workers += 1;
  worker.once('exit', () => (workers -= 1));
});

/** Counts the resources that keep the process alive, by kind. */
function countResources(): Map<string, number> {
  const counts = new Map([['Worker', workers]]);
  for (const kind of process.getActiveResourcesInfo()) {
    if (kinds.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Lists the resources that are not in `before`, such as `1 TCPServerWrap`. */
function newResources(before: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  for (const [kind, count] of countResources()) {
    const added = count - (before.get(kind) ?? 0);
    if (added > 0) found.push(`${added} ${kind}`);
  }
  return found;
}

/** Adds the resource check to each top-level suite of `root`, after the suite's own hooks. */
function watch(root: Suite): void {
  let before = countResources();
  for (const suite of root.suites) {
    suite.afterAll('leaves nothing behind', async function () {
      await sleep(0); // After this, mocha's own timer is counted, as in `before`.
      const end = performance.now() + grace;
      let left = newResources(before);
      while (left.length > 0 && performance.now() < end) {
        await sleep(10);
        left = newResources(before);
      }
      before = countResources();
      if (left.length > 0) throw new Error(`${suite.file ?? suite.title} leaves ${left.join(', ')} behind`);
    });
  }
}

/** Root hooks exported for Mocha. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    await sleep(0);
    const root = this.test?.parent;
    if (root) watch(root);
  },
};
