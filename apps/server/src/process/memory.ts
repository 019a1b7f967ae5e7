/** How V8 manages the memory of this process. */
import { setFlagsFromString } from 'node:v8';
import { guarded, taskOf } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';

/**
 * Has the garbage of changes collected young. By default V8 allocates in the old generation what lived long before when it
 * came from the same place in the code: what loading makes lives long, what the next thousand changes make by the same
 * code does not. A small dead object there kept the arrays of its whole configuration until the next full collection: 9 ms
 * in place of 1 for each young one. Called first of all; it is about all threads.
 */
export function collectChangesYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** MiB of one of the two halves of the young generation of a traffic thread. */
const youngMegabytes = 4;

/**
 * Keeps the young generation of every thread small: 4 MiB for those that serve, and what it has now for the control thread,
 * which V8 has made already. By default it grows to 32 MiB for each half while a large configuration is loaded, and
 * stays as large. Whoever has set a size for Node keeps it. Called before a worker is started.
 */
export function keepYoungGenerationSmall(nodeOptions: readonly string[] = optionsOfNode()): void {
  if (nodeOptions.some((option) => /semi[-_]space/.test(option))) return;
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  setFlagsFromString(`--min-semi-space-size=${youngMegabytes}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Old generations grow by little; when a third of that is taken V8 begins to mark, beside other work. */
const sparing: readonly string[] = ['--memory-saver-mode', '--incremental-marking-soft-trigger=35'];
/** As V8 does by itself. */
const usual: readonly string[] = ['--no-memory-saver-mode', '--incremental-marking-soft-trigger=0'];

/** So many changes within so many milliseconds are made without a pause. */
const rush = { changes: 400, within: 1000 };

/** So long after a rush V8 goes back to its own ways, in milliseconds. */
const quietTime = 10_000;

/** How {@link collectOldInRush} does it; tests say otherwise. */
interface CollectOptions {
  readonly quiet: number;
  readonly nodeOptions: readonly string[];
  /** Sets an option of V8. */
  readonly set: (option: string) => void;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * Has the old generation of every thread collected when it has grown by little, as long as hundreds of changes are made each second: by 2 MiB in
 * place of 8, or by a smaller share of what it is. What a change makes lives until the next change of the same route, long
 * enough to be old, so that thousands of changes fill it to whatever V8 allows. Otherwise V8 does as it does: each
 * collection has requests wait that share a processor with it. Whoever has set one of the options for Node keeps it. Called once, when the server serves.
 */
export function collectOldInRush(
  { committed }: Pick<Reconciler['hooks'], 'committed'>,
  {
    quiet = quietTime,
    nodeOptions = optionsOfNode(),
    set = setFlagsFromString,
    now = () => performance.now(),
  }: Partial<CollectOptions> = {},
): void {
  if (nodeOptions.some((option) => /memory[-_]saver|marking[-_]soft[-_]trigger/.test(option))) return;
  let rushing: NodeJS.Timeout | null = null;
  let since = 0;
  let count = 0;
  const end = (): void => {
    rushing = null;
    for (const option of usual) set(option);
  };
  committed.tap('memory', () => {
    const at = now();
    if (at - since > rush.within) {
      since = at;
      count = 0;
    }
    if (++count < rush.changes) return;
    count = 0;
    if (rushing !== null) {
      rushing.refresh();
      return;
    }
    rushing = setTimeout(guarded(taskOf('process'), end), quiet).unref();
    for (const option of sparing) set(option);
  });
}

/**
 * Has compilations freed where they end. By default V8 leaves that to other threads, which on busy processors come to it late:
 * the memory of many compilations is taken at once, tens of MiB, and the C library keeps it. Called first of all; it is about
 * all threads.
 */
export function freeCompilationsAtOnce(): void {
  setFlagsFromString('--no-maglev-destroy-on-background');
}

function optionsOfNode(): string[] {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
}
