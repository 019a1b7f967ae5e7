/**
 * The `sluice` key in the package.json of a third-party package describes its modules and commands. They can be listed
 * and documented without running the package's code:
 *
 *     "sluice": {
 *       "entry": "./dist/index.js",
 *       "modules": { "http.handlers.hello": { "help": "Says hello.", "options": { "type": "object", … } } },
 *       "commands": { "greet": { "help": "greet on the terminal" } }
 *     }
 *
 * `entry` exports `register(registry)`, and `options` is the JSON Schema of the module's options. A package contains
 * modules, commands, or both.
 *
 * `"peerDependencies": {"@sluice/module": "^0.1.0"}` specifies the supported versions of the module API.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isObject, kindOf, own, type Json, type JsonObject, messageOf, SluiceError } from '@sluice/base';

export interface ManifestModule {
  readonly id: string;
  readonly help: string;
  /** JSON Schema of the module's options; `null` if the manifest contains none. */
  readonly options: JsonObject | null;
}

export interface ManifestCommand {
  readonly name: string;
  readonly help: string;
}

/** A package of modules that has not been loaded. */
export interface ModuleManifest {
  /** npm package name. */
  readonly package: string;
  readonly version: string;
  /** Absolute path of the package directory. */
  readonly folder: string;
  /** Absolute path of the file that exports `register`. */
  readonly entry: string;
  /** Supported versions of `@sluice/module`, from `peerDependencies`; `null` if not specified. */
  readonly api: string | null;
  readonly modules: readonly ManifestModule[];
  readonly commands: readonly ManifestCommand[];
}

/** Reads the manifest in a package directory. Returns `null` if the package contains no modules. Errors have the code `ERR_MANIFEST`. */
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
    return fail(`"sluice" has an unknown key ${JSON.stringify(unknown)}; supported: entry, modules and commands`);
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
    return fail(`${at} is not a module ID: expected lowercase labels joined by dots, such as http.handlers.hello`);
  if (!isObject(module)) return fail(`${at} must be an object with help and options, not ${kindOf(module)}`);
  const unknown = Object.keys(module).find((key) => key !== 'help' && key !== 'options');
  if (unknown !== undefined)
    return fail(`${at} has an unknown key ${JSON.stringify(unknown)}; supported: help and options`);
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
    return fail(`${at} is not a command name: expected lowercase letters, digits and dashes, such as greet-all`);
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
