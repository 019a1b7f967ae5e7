/** V8 memory settings of the server process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { guarded, taskOf } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';

/**
 * Makes V8 allocate the objects of configuration changes in the young generation.
 *
 * By default, V8 allocates objects in the old generation if earlier objects from the same code location were long-lived. Objects created
 * while loading a configuration are long-lived, but objects of later changes are not.
 *
 * In the old generation, a small dead object kept the arrays of a whole configuration alive until the next full collection. The full
 * collection then took 9 ms instead of 1 ms. Must be called first. Applies to all threads.
 */
export function collectChangesYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Semi-space size of a traffic thread, in MiB. */
const youngMegabytes = 4;

/**
 * Limits the young generation of every thread. The limit is 4 MiB for traffic threads, and the current size for the control thread.
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

/** With these flags, the old generation grows in small steps, and V8 starts concurrent marking when a third of a step is used. */
const sparing: readonly string[] = ['--memory-saver-mode', '--incremental-marking-soft-trigger=35'];
/** V8's defaults. */
const defaults: readonly string[] = ['--no-memory-saver-mode', '--incremental-marking-soft-trigger=0'];

/**
 * A burst is at least `changes` changes within `within` milliseconds. Container changes in a cluster arrive more slowly, so
 * `providedWithin` applies to them. With thousands of routes, each route still creates garbage that is several times its size.
 */
const burst = { changes: 400, within: 1000, providedWithin: 30_000 };

/** Time after a burst until V8's defaults are restored, in milliseconds. */
const quietTime = 10_000;

/** Options of {@link collectOldInBurst} that tests override. */
interface CollectOptions {
  readonly quiet: number;
  readonly nodeOptions: readonly string[];
  readonly set: (option: string) => void;
  readonly now: () => number;
  /** Runs a garbage collection in the current thread. */
  readonly collect: () => void;
}

/**
 * Makes V8 collect the old generation more often during bursts of hundreds of changes per second. Collections start after 2 MiB of growth
 * instead of 8 MiB, or after growth by a smaller fraction of the old generation's size.
 *
 * Objects of a change live until the next change of the same route, which is long enough to be promoted. Thousands of changes would
 * otherwise fill the old generation up to V8's limit. Outside bursts, V8's defaults apply, because each collection delays requests on the
 * same processor.
 *
 * After a burst, the control thread collects its garbage once, which takes 0.1 s for 5,000 routes. Without further changes, V8 would never
 * collect it.
 *
 * Has no effect if the user has set one of these options. Must be called once, when the server is ready.
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
 * Makes V8 free compilation memory on the compiling thread. By default, background threads free it, but they lag on busy processors. The
 * memory of many compilations (tens of MiB) is then in use at the same time, and the C library keeps it.
 *
 * Must be called first. Applies to all threads.
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
