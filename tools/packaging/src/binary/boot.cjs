'use strict';
/**
 * Start-up code of a binary, in its main thread and in each traffic thread. It lets the bundle's files, which are assets of the binary, be
 * imported as if they were in a directory next to the program. Only the native addon `@node-rs/bcrypt` is written to disk, when a password
 * is first checked with it.
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

/** Loads the addon from a temporary file, which is removed at once. The mapped file remains usable. */
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
    if (!names.has(name)) throw new Error(`this program has no file ${name}`);
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
