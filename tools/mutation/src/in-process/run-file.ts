/** Runs one test file with mocha in this process, as `.mocharc.json` says. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type MochaType from 'mocha';
import type { RootHookObject } from 'mocha';

const Mocha = createRequire(import.meta.url)('mocha') as typeof MochaType;

/** The hooks of the workspace's tests. */
export async function readRootHooks(root: string): Promise<RootHookObject> {
  const settings = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8')) as { readonly require: string[] };
  const hooks: RootHookObject = {};
  for (const path of settings.require) {
    const module = (await import(pathToFileURL(join(root, path)).href)) as { readonly mochaHooks?: RootHookObject };
    Object.assign(hooks, module.mochaHooks);
  }
  return hooks;
}

/** Whether all of its tests pass. A file that can not be imported does not. */
export async function runFile(url: string, timeout: number, rootHooks: RootHookObject): Promise<boolean> {
  // The base of all reporters, which prints nothing.
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
