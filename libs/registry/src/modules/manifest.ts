/**
 * What a third-party package says of its modules and commands in the key `sluice` of its package.json, so that they can be
 * listed and described without running its code:
 *
 *     "sluice": {
 *       "entry": "./dist/index.js",
 *       "modules": { "http.handlers.hello": { "help": "Says hello.", "options": { "type": "object", … } } },
 *       "commands": { "greet": { "help": "greet on the terminal" } }
 *     }
 *
 * `entry` exports `register(registry)`; `options` is the JSON Schema of the module's options. A package has modules,
 * commands, or both. Beside it,
 * `"peerDependencies": {"@sluice/module": "^0.1.0"}` says which versions of the modules' API the package is made for.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isObject, kindOf, own, type Json, type JsonObject, messageOf, SluiceError } from '@sluice/base';

/** A module as its package's manifest describes it. */
export interface ManifestModule {
  readonly id: string;
  readonly help: string;
  /** JSON Schema of its options, or `null` if the manifest has none. */
  readonly options: JsonObject | null;
}

/** A command as its package's manifest describes it. */
export interface ManifestCommand {
  readonly name: string;
  readonly help: string;
}

/** A package of modules that is known and not loaded. */
export interface ModuleManifest {
  /** npm package name. */
  readonly package: string;
  readonly version: string;
  /** Absolute folder of the package. */
  readonly folder: string;
  /** Absolute path of the file that exports `register`. */
  readonly entry: string;
  /** The versions of `@sluice/module` that it is made for, of its `peerDependencies`; `null` if it does not say. */
  readonly api: string | null;
  readonly modules: readonly ManifestModule[];
  readonly commands: readonly ManifestCommand[];
}

/** Reads the manifest of the package in a folder; `null` if it is a package without modules. Errors have code `ERR_MANIFEST`. */
export function readManifest(folder: string): ModuleManifest | null {
  const file = join(folder, 'package.json');
  const fail = (message: string, cause?: unknown): never => {
    throw new SluiceError('ERR_MANIFEST', message, { where: file, cause });
  };
  let content: Json;
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    return fail(`cannot be read: ${messageOf(error)}`, error);
  }
  if (!isObject(content)) return fail(`must be an object, not ${kindOf(content)}`);
  const manifest = own(content, 'sluice');
  if (manifest === undefined) return null;
  if (!isObject(manifest)) return fail(`"sluice" must be an object, not ${kindOf(manifest)}`);
  const unknown = Object.keys(manifest).find((key) => !keys.has(key));
  if (unknown !== undefined)
    return fail(`"sluice" has an unknown key ${JSON.stringify(unknown)}; supported are entry, modules and commands`);
  const name = textAt(content, 'name', fail);
  const version = textAt(content, 'version', fail);
  const entry = resolve(folder, textAt(manifest, 'entry', fail, 'sluice.'));
  if (relative(folder, entry).startsWith('..')) return fail('"sluice.entry" must be a file in the package');
  const commands = own(manifest, 'commands') ?? {};
  if (!isObject(commands)) return fail(`"sluice.commands" must be an object of command names, not ${kindOf(commands)}`);
  const hasCommands = Object.keys(commands).length > 0;
  const modules = own(manifest, 'modules') ?? (hasCommands ? {} : undefined);
  if (!isObject(modules)) return fail(`"sluice.modules" must be an object of module IDs, not ${kindOf(modules)}`);
  if (Object.keys(modules).length === 0 && !hasCommands) return fail('"sluice.modules" is empty');
  return {
    package: name,
    version,
    folder,
    entry,
    api: apiRangeOf(content, fail),
    modules: Object.entries(modules).map(([id, module]) => readModule(id, module, fail)),
    commands: Object.entries(commands).map(([command, described]) => readCommand(command, described, fail)),
  };
}

const keys = new Set(['entry', 'modules', 'commands']);

type Fail = (message: string) => never;

function apiRangeOf(content: JsonObject, fail: Fail): string | null {
  const peers = own(content, 'peerDependencies');
  const range = isObject(peers) ? own(peers, '@sluice/module') : undefined;
  if (range === undefined) return null;
  return typeof range === 'string'
    ? range
    : fail(`"peerDependencies" "@sluice/module" must be a string, not ${kindOf(range)}`);
}

function readModule(id: string, module: Json, fail: Fail): ManifestModule {
  const at = `"sluice.modules" ${JSON.stringify(id)}`;
  if (!/^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/.test(id))
    return fail(`${at} is not a module ID: expected lower-case labels joined by dots, such as http.handlers.hello`);
  if (!isObject(module)) return fail(`${at} must be an object with help and options, not ${kindOf(module)}`);
  const unknown = Object.keys(module).find((key) => key !== 'help' && key !== 'options');
  if (unknown !== undefined)
    return fail(`${at} has an unknown key ${JSON.stringify(unknown)}; supported are help and options`);
  const help = own(module, 'help') ?? '';
  if (typeof help !== 'string') return fail(`${at}: help must be a string, not ${kindOf(help)}`);
  const options = own(module, 'options') ?? null;
  if (options !== null && !isObject(options))
    return fail(`${at}: options must be a JSON Schema, not ${kindOf(options)}`);
  return { id, help, options };
}

function readCommand(name: string, command: Json, fail: Fail): ManifestCommand {
  const at = `"sluice.commands" ${JSON.stringify(name)}`;
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    return fail(`${at} is not a command name: expected lower-case letters, digits and dashes, such as greet-all`);
  const help = isObject(command) ? own(command, 'help') : undefined;
  if (typeof help !== 'string') return fail(`${at} must be an object with a help string`);
  return { name, help };
}

function textAt(object: JsonObject, key: string, fail: Fail, prefix = ''): string {
  const value = own(object, key);
  if (typeof value !== 'string' || value === '')
    return fail(`"${prefix}${key}" must be a string, not ${kindOf(value)}`);
  return value;
}
