'use strict';
/**
 * What a binary begins with, in its main thread and in each traffic thread: it lets the files of the bundle, which are
 * assets of the binary, be imported as if they lay in a folder beside the program. Nothing is written to the disk but
 * `@node-rs/bcrypt`, code of the machine, when a password is checked with it.
 */
const { getAsset, getAssetKeys } = require('node:sea');
const { registerHooks } = require('node:module');
const { isMainThread } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const base = pathToFileURL(`${process.execPath}.bundle/`).href;
const names = new Set(getAssetKeys());
const addon = '@node-rs/bcrypt';
const addonUrl = `${base}dist/${addon}.js`;

/** Loads the addon from a file of its own, which is removed at once: the system keeps it while it is loaded. */
const addonSource = `
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
const file = join(folder, 'bcrypt.node');
writeFileSync(file, new Uint8Array(getRawAsset('bcrypt.node')), { mode: 0o500 });
const binding = { exports: {} };
try { process.dlopen(binding, file); } finally { rmSync(folder, { recursive: true, force: true }); }
const api = { exports: {} };
new Function('module', 'exports', 'require', getAsset('bcrypt.cjs', 'utf8'))(api, api.exports, createRequire(import.meta.url));
export const { genSalt, genSaltSync, hash, hashSync, verify, verifySync } = api.exports(binding.exports);
const all = { genSalt, genSaltSync, hash, hashSync, verify, verifySync };
export { all as default, all as 'module.exports' };
`;

registerHooks({
  resolve(specifier, context, next) {
    const inside = context.parentURL?.startsWith(base) === true;
    if (inside && specifier === addon) return { url: addonUrl, format: 'module', shortCircuit: true };
    const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
    const url = inside && isRelative ? new URL(specifier, context.parentURL).href : specifier;
    return url.startsWith(base) ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith(base)) return next(url, context);
    if (url === addonUrl) return { format: 'module', source: addonSource, shortCircuit: true };
    const name = url.slice(base.length);
    if (!names.has(name)) throw new Error(`${name} is not part of this program`);
    return { format: 'module', source: getAsset(name, 'utf8'), shortCircuit: true };
  },
});

const start = new vm.Script(`import(${JSON.stringify(`${base}dist/${isMainThread ? 'main' : 'worker'}.js`)})`, {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
start.runInThisContext().catch((error) => {
  if (!isMainThread) throw error;
  console.error(error);
  process.exit(1);
});
