/** The child process that runs tests for `TestProcess`: `node test-child.ts <root> <package directory> <loop timeout>`. */
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Range } from '../executed.ts';
import { watchForLoops } from '../loops/watch-for-loops.ts';
import { withDependents } from './dependents.ts';
import { FreshModules } from './fresh-modules.ts';
import type { Measured, Request, TestToRun, Trial, TrialVerdict } from './messages.ts';
import { readRootHooks, runFile } from './run-file.ts';
import { watchStarts } from './watch-starts.ts';

const [root = '', folder = '', loopTimeout] = process.argv.slice(2);
watchForLoops(Number(loopTimeout));
process.chdir(root);
const hooks = await readRootHooks(root);
const prefixOf = (path: string): string => `${pathToFileURL(join(root, path)).href}/`;
const modules = new FreshModules(withDependents(root, folder).map(prefixOf));
const sources = prefixOf(join(folder, 'src'));

/** True if a thread or process was started since the last reset. */
let starts = false;
watchStarts(() => {
  starts = true;
});
// Promises created by an earlier mutant may reject between two runs.
process.on('unhandledRejection', () => undefined);

async function passes({ path, timeout }: TestToRun): Promise<boolean> {
  return runFile(modules.urlOf(pathToFileURL(join(root, path)).href), timeout, hooks);
}

/** Runs the tests against a mutant. If a test fails, the same test must pass in the same process without the mutant. */
async function judge({ tests, mutant }: Trial): Promise<TrialVerdict> {
  modules.begin(mutant);
  for (const test of tests) {
    if (await passes(test)) continue;
    modules.begin();
    return (await passes(test)) ? 'killed' : 'spoilt';
  }
  return 'survived';
}

/** Collects coverage while a test file runs. */
async function measure(test: TestToRun): Promise<Measured> {
  modules.begin();
  starts = false;
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    const begun = performance.now();
    const passed = await passes(test);
    const duration = performance.now() - begun;
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const scripts = result.flatMap(({ url, functions }): [string, Range[]][] => {
      const file = modules.fileOf(url);
      return file?.startsWith(sources) !== true ? [] : [[file, functions.flatMap(({ ranges }) => ranges)]];
    });
    return { passed, starts, duration, scripts };
  } finally {
    session.disconnect();
  }
}

// Exit, because the mutation tool has exited.
process.on('disconnect', () => process.exit());
process.on('message', (request: Request) => {
  const reply = request.kind === 'trial' ? judge(request) : measure(request.test);
  reply.then(
    (value) => process.send?.(value),
    (error: unknown) => {
      throw error;
    },
  );
});
