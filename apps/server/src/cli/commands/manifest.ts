/**
 * `sluice manifest [directory]`: generates the `sluice` key of a package.json from the package's code. Options are therefore declared only
 * once. `--check` verifies that the key is up to date, in tests or before publishing.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject, messageOf, own, type Json, type JsonObject } from '@sluice/base';
import { describeCommands, describeModules, Registry } from '@sluice/registry';
import { importRegister } from '../../modules/register-modules.ts';
import { CommandError } from '../../failure.ts';

export interface ManifestOptions {
  /** The package directory. */
  readonly argument?: string;
  readonly check?: boolean;
}

/** Runs a package's `register` function with a separate registry. Generates the manifest from the registered modules. */
export async function manifest({ argument, check }: ManifestOptions): Promise<number> {
  const folder = resolve(argument ?? '.');
  const file = join(folder, 'package.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`reading ${file}: ${messageOf(error)}`, error);
  });
  const content = parse(text, file);
  const before = own(content, 'sluice');
  const { commands: _, ...kept }: JsonObject = isObject(before) ? before : {};
  const after: JsonObject = { ...kept, ...(await describe(folder, content)) };
  if (check === true) {
    if (isDeepStrictEqual(before, after)) return 0;
    throw new CommandError(`${file}: the "sluice" key does not match the code; run sluice manifest ${argument ?? '.'}`);
  }
  await writeFile(file, `${JSON.stringify({ ...content, sluice: after }, null, indentOf(text))}\n`);
  return 0;
}

async function describe(folder: string, content: JsonObject): Promise<JsonObject> {
  const entry = entryOf(content);
  const registry = new Registry();
  try {
    registry.use(await importRegister(resolve(folder, entry)));
    await registry.loadAll();
  } catch (error) {
    throw new CommandError(
      `failed to call register in ${join(folder, entry)}: ${messageOf(error)}; build the package first`,
      error,
    );
  }
  const modules = describeModules(registry);
  const commands = describeCommands(registry);
  const isEmpty = (object: JsonObject): boolean => Object.keys(object).length === 0;
  if (isEmpty(modules) && isEmpty(commands))
    throw new CommandError(`${join(folder, entry)} does not register any modules or commands`);
  return { entry, modules, ...(isEmpty(commands) ? {} : { commands }) };
}

/** Returns the file that exports `register`, from the manifest or else from the package's exports. */
function entryOf(content: JsonObject): string {
  const at = (object: Json | undefined, key: string): Json | undefined =>
    isObject(object) ? own(object, key) : undefined;
  const exported = at(content['exports'], '.') ?? content['exports'];
  const candidates = [at(content['sluice'], 'entry'), at(exported, 'default'), exported, content['main']];
  return candidates.find((candidate) => typeof candidate === 'string') ?? './dist/index.js';
}

function parse(text: string, file: string): JsonObject {
  try {
    const content = JSON.parse(text) as Json;
    if (isObject(content)) return content;
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${messageOf(error)}`, error);
  }
  throw new CommandError(`${file} is not a JSON object`);
}

/** Returns the indentation of a file, so that it can be preserved. */
function indentOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}
