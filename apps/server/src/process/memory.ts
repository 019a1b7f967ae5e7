/** How V8 manages the memory of this process. */
import { setFlagsFromString } from 'node:v8';

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
export function keepYoungGenerationSmall(
  nodeOptions: readonly string[] = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''],
): void {
  if (nodeOptions.some((option) => /semi[-_]space/.test(option))) return;
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  setFlagsFromString(`--min-semi-space-size=${youngMegabytes}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Has compilations freed where they end. By default V8 leaves that to other threads, which on busy processors come to it late:
 * the memory of many compilations is taken at once, tens of MiB, and the C library keeps it. Called first of all; it is about
 * all threads.
 */
export function freeCompilationsAtOnce(): void {
  setFlagsFromString('--no-maglev-destroy-on-background');
}
