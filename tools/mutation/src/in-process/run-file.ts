/** Runs one test file with Mocha in the current process, configured like `.mocharc.json`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type MochaType from 'mocha';
import type { RootHookObject } from 'mocha';

const Mocha = createRequire(import.meta.url)('mocha') as typeof MochaType;

/** Returns the Mocha root hooks of the workspace. */
export async function readRootHooks(root: string): Promise<RootHookObject> {
  const settings = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8')) as { readonly require: string[] };
  const hooks: RootHookObject = {};
  for (const path of settings.require) {
    const module = (await import(pathToFileURL(join(root, path)).href)) as { readonly mochaHooks?: RootHookObject };
    Object.assign(hooks, module.mochaHooks);
  }
  return hooks;
}

/** Reports whether all tests of a file pass. Returns false if the file cannot be imported. */
export async function runFile(url: string, timeout: number, rootHooks: RootHookObject): Promise<boolean> {
  // Uses the base reporter because it prints nothing.
  const mocha = new Mocha({ bail: true, reporter: Mocha.reporters.Base, timeout, rootHooks });
  mocha.suite.emit('pre-require', globalThis, url, mocha);
  try {
    await import(url);
  } catch {
    return false;
  }
  return new Promise((resolve) => {
    mocha.run((failures) => resolve(failures === 0));
  });
}
