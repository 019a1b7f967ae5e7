/**
 * A module that is preloaded into a test run. On import, it replaces the text of the mutant's file in all threads. The file itself remains
 * unchanged, so runs can be concurrent.
 */
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { watchForLoops } from './loops/watch-for-loops.ts';
import { applyMutation, type Mutation } from './mutate.ts';

/** Value of the environment variable `SLUICE_MUTANT`, encoded as JSON. */
export interface MutantInFile extends Mutation {
  /** Absolute path. */
  readonly file: string;
}

const given = process.env['SLUICE_MUTANT'];
if (given !== undefined) {
  if (isMainThread) watchForLoops();
  const mutant = JSON.parse(given) as MutantInFile;
  const url = pathToFileURL(mutant.file).href;
  const source = applyMutation(readFileSync(mutant.file, 'utf8'), mutant);
  registerHooks({
    load: (target, context, next) =>
      target === url ? { format: 'module-typescript', source, shortCircuit: true } : next(target, context),
  });
}
