/** V8 memory settings of this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { guarded, taskOf } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';

/**
 * Makes V8 allocate objects created by changes in the young generation.
 *
 * By default, V8 allocates objects in the old generation if earlier objects from the same code location were long-lived. Objects created
 * while loading a configuration are long-lived, but objects of later changes are not.
 *
 * There, a small dead object kept the arrays of a whole configuration alive until the next full collection, which took 9 ms instead of 1
 * ms. Must be called first; applies to all threads.
 */
export function collectChangesYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Size of one semi-space of a traffic thread, in MiB. */
const youngMegabytes = 4;

/**
 * Limits the young generation of every thread: to 4 MiB for traffic threads, and to the current size for the control thread.
 *
 * By default, V8 lets it grow to 32 MiB per semi-space while a large configuration is loaded, and never shrinks it. Has no effect if the
 * user has set a size. Must be called before workers are started.
 */
export function keepYoungGenerationSmall(nodeOptions: readonly string[] = optionsOfNode()): void {
  if (nodeOptions.some((option) => /semi[-_]space/.test(option))) return;
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  setFlagsFromString(`--min-semi-space-size=${youngMegabytes}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** The old generation grows in small steps, and V8 starts concurrent marking when a third of a step is used. */
const sparing: readonly string[] = ['--memory-saver-mode', '--incremental-marking-soft-trigger=35'];
/** V8's defaults. */
const defaults: readonly string[] = ['--no-memory-saver-mode', '--incremental-marking-soft-trigger=0'];

/**
 * A burst is at least this number of changes within this number of milliseconds. Container changes in a cluster arrive
 * more slowly, but each of thousands of routes adds garbage of several times its size.
 */
const burst = { changes: 400, within: 1000, providedWithin: 30_000 };

/** Time in milliseconds after a burst until V8's defaults are restored. */
const quietTime = 10_000;

/** Options of {@link collectOldInBurst}, overridden by tests. */
interface CollectOptions {
  readonly quiet: number;
  readonly nodeOptions: readonly string[];
  readonly set: (option: string) => void;
  readonly now: () => number;
  /** Collects the garbage of the current thread. */
  readonly collect: () => void;
}

/**
 * During bursts of hundreds of changes per second, collects the old generation after less growth: 2 MiB instead of 8, or a smaller share of
 * its size.
 *
 * Objects of a change live until the next change of the same route, long enough to be promoted, so thousands of changes would otherwise
 * fill the old generation up to V8's limit. Outside of bursts, V8's defaults apply, because each collection delays requests on the same
 * processor. After a burst, the control thread collects its garbage once, which takes 0.1 s for 5,000 routes. Without further changes, V8
 * would never collect it.
 *
 * Has no effect if the user has set one of these options. Called once, when the server is ready.
 */
export function collectOldInBurst(
  { committed, layered }: Pick<Reconciler['hooks'], 'committed' | 'layered'>,
  {
    quiet = quietTime,
    nodeOptions = optionsOfNode(),
    set = setFlagsFromString,
    now = () => performance.now(),
    collect = collectGarbage,
  }: Partial<CollectOptions> = {},
): void {
  if (nodeOptions.some((option) => /memory[-_]saver|marking[-_]soft[-_]trigger/.test(option))) return;
  let burstTimer: NodeJS.Timeout | null = null;
  const end = (): void => {
    burstTimer = null;
    for (const option of defaults) set(option);
    collect();
  };
  const begin = (): void => {
    if (burstTimer !== null) {
      burstTimer.refresh();
      return;
    }
    burstTimer = setTimeout(guarded(taskOf('process'), end), quiet).unref();
    for (const option of sparing) set(option);
  };
  const counter = (within: number): ((changes: number) => void) => {
    let since = Number.NEGATIVE_INFINITY;
    let count = 0;
    return (changes) => {
      const at = now();
      if (at - since > within) {
        since = at;
        count = 0;
      }
      count += changes;
      if (count < burst.changes) return;
      count = 0;
      begin();
    };
  };
  const written = counter(burst.within);
  const provided = counter(burst.providedWithin);
  committed.tap('memory', () => {
    written(1);
  });
  layered.tap('memory', ({ operations }) => {
    burstTimer?.refresh();
    provided(operations.length);
  });
}

/**
 * Frees compilation memory on the compiling thread. By default, V8 leaves this to background threads, which lag on busy processors, so that
 * the memory of many compilations (tens of MiB) is in use simultaneously, and the C library keeps this memory.
 *
 * Must be called first; applies to all threads.
 */
export function freeCompilationsAtOnce(): void {
  setFlagsFromString('--no-maglev-destroy-on-background');
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function optionsOfNode(): string[] {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
}
