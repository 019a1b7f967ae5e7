/**
 * Divides the test files of a large package into shards of similar duration. Each shard is a separate nx target (`test-1`, `test-2`, …).
 * Shards run in parallel and are cached individually. Durations come from `test-durations.json`, which `npm test -- --record` writes. Files
 * without a recorded duration count as fast.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { readJson, workspaceRoot } from './packages.mjs';

/** Assumed duration of a test file that has not been measured, in milliseconds. */
const unknown = 500;

/** Target duration of a shard, in milliseconds. Longer shards leave a CPU idle at the end. Shorter shards load the same code more often. */
const shardSize = 60_000;

/**
 * Returns the sorted test files of a package, relative to the workspace.
 * @param {string} path directory of the package, relative to the workspace
 * @param {'.test.ts' | '.trial.ts'} [suffix] @param {string} [root]
 */
export function testFiles(path, suffix = '.test.ts', root = workspaceRoot) {
  const folder = join(root, path, 'test');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => `${path}/test/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith(suffix))
    .sort();
}

/**
 * Returns the test files that contain a test with `@long` in its title, relative to the workspace. @param {string} path @param {string}
 * [root]
 */
export const longTestFiles = (path, root = workspaceRoot) =>
  testFiles(path, '.test.ts', root).filter((file) => readFileSync(join(root, file), 'utf8').includes(' @long'));

/** Path of the recorded durations, relative to the workspace. */
const recorded = 'tools/workspace/test-durations.json';

/** Returns the recorded durations in milliseconds by test file. @param {string} [root] @returns {Record<string, number>} */
export function readDurations(root = workspaceRoot) {
  const file = join(root, recorded);
  return existsSync(file) ? readJson(file) : {};
}

/**
 * Records the durations of existing test files, except durations below the assumed duration.
 * @param {readonly import('./flaky.mjs').Results[]} results
 * @param {Readonly<Record<string, number>>} before of files that were not run
 */
export function writeDurations(results, before) {
  /** @type {Record<string, number>} */
  const times = { ...before };
  for (const { durations = {} } of results)
    for (const [file, time] of Object.entries(durations))
      times[relative(workspaceRoot, file).replaceAll('\\', '/')] = time;
  const kept = Object.entries(times)
    .filter(([file, time]) => time > unknown && existsSync(join(workspaceRoot, file)))
    .map(([file, time]) => /** @type {const} */ ([file, Math.round(time / 100) * 100]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(workspaceRoot, recorded), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/**
 * Divides files into the fewest shards of about {@link shardSize} each. The result is deterministic: files are assigned from longest to
 * shortest, each to the shard with the smallest total.
 * @param {readonly string[]} files
 * @param {Readonly<Record<string, number>>} durations
 * @returns {string[][]} each sorted
 */
export function divide(files, durations) {
  const time = (/** @type {string} */ file) => durations[file] ?? unknown;
  const total = files.reduce((sum, file) => sum + time(file), 0);
  const count = total < 1.5 * shardSize ? 1 : Math.min(files.length, Math.ceil(total / shardSize));
  const shards = Array.from({ length: count }, () => ({ files: /** @type {string[]} */ ([]), time: 0 }));
  for (const file of files.toSorted((a, b) => time(b) - time(a) || (a < b ? -1 : 1))) {
    const least = shards.reduce((best, each) => (each.time < best.time ? each : best));
    least.files.push(file);
    least.time += time(file);
  }
  return shards.map((shard) => shard.files.sort());
}

/** Returns the shards of a package. A single shard means that the package is not divided. @param {string} path @param {string} [root] */
export const shardsOf = (path, root = workspaceRoot) => divide(testFiles(path, '.test.ts', root), readDurations(root));

/** Returns the names of the result files that the test targets of a package write. @param {string} path @param {boolean} withTrials */
export function resultNames(path, withTrials) {
  const name = basename(path);
  const shards = shardsOf(path);
  const tests = shards.length > 1 ? shards.map((_, i) => `${name}-${i + 1}`) : shards[0]?.length ? [name] : [];
  if (!withTrials) return tests;
  return [
    ...tests,
    ...(longTestFiles(path).length > 0 ? [`${name}-long`] : []),
    ...(testFiles(path, '.trial.ts').length > 0 ? [`${name}-trial`] : []),
  ];
}
