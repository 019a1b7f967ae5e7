/** Groups modules that are always loaded together into a few files. */
import type { OutputChunk } from 'rolldown';
import { does } from './only-what-is-used.ts';

const main = /\/apps\/server\/src\/(?:main|cli\/program)\.ts$/;
const command = /\/apps\/server\/src\/cli\/commands\/[\w-]+\.ts$/;
const traffic = /\/apps\/server\/src\/workers\/traffic-thread\.ts$/;
const control = /\/apps\/server\/src\/serve\.ts$/;
const registration = /\/apps\/server\/src\/register-standard\.ts$/;

/** Parts that most servers load on demand. They share many modules. */
const parts: readonly RegExp[] = [
  /\/libs\/http-app\/src\/app\.ts$/,
  /\/libs\/http-app\/src\/listener\/listener\.ts$/,
  /\/libs\/tls-app\/src\/app\.ts$/,
  /\/libs\/tls-app\/src\/provision-automation\.ts$/,
  /\/libs\/modules\/http\.handlers\/src\/reverse_proxy\/module\.ts$/,
  /\/libs\/modules\/http\.reverse_proxy\/src\/transport\/http\/index\.ts$/,
  /\/libs\/layer4-app\/src\/app\.ts$/,
  /\/libs\/admin-api\/src\/all-routes\.ts$/,
  control,
];

/**
 * Returns the role of each module, determined from a bundle built without roles. Modules with the same role share a file.
 *
 * The role is `traffic` for modules that all server threads load, and `control` for modules that only the control thread loads. Modules
 * that several parts of a server need have one role for each combination of these parts, so that a server loads only what its parts need.
 *
 * Commands that don't register modules must start fast. The role of a module that such a command needs also names the command, so the
 * command does not load more.
 */
export function rolesOf(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  const graph = new ChunkGraph(chunks);
  const commandLine = graph.neededBy(...graph.chunksOf(main));
  const registering = graph.chunkOf(registration);
  const fastCommands = [commandLine, ...graph.chunksOf(command).map((chunk) => graph.neededBy(chunk))].filter(
    (needed) => !needed.has(registering),
  );
  const everywhere = graph.neededBy(graph.chunkOf(traffic));
  const ofControl = without(graph.neededBy(graph.chunkOf(control)), new Set([...commandLine, ...everywhere]));
  const ofParts = parts.map((part) => graph.neededBy(graph.chunkOf(part)));
  const shared = sharedChunks([...fastCommands, ...ofParts]);
  const roles = new Map<string, string>();
  const assign = (role: string, chunk: OutputChunk): void => {
    for (const id of modulesOf(chunk)) if (!roles.has(id)) roles.set(id, role);
  };
  for (const chunk of everywhere) assign(['traffic', ...usersOf(chunk, fastCommands)].join('-'), chunk);
  for (const chunk of graph.onlyWithin(ofControl)) assign('control', chunk);
  for (const [chunk, users] of shared) assign(['shared', ...users].join('-'), chunk);
  return roles;
}

/** Returns the chunks that several sets contain, with the indexes of these sets. */
function sharedChunks(sets: readonly ReadonlySet<OutputChunk>[]): ReadonlyMap<OutputChunk, readonly number[]> {
  const all = new Set(sets.flatMap((needed) => [...needed]));
  return new Map(
    [...all].map((chunk) => [chunk, usersOf(chunk, sets)] as const).filter(([, { length }]) => length > 1),
  );
}

function usersOf(chunk: OutputChunk, sets: readonly ReadonlySet<OutputChunk>[]): readonly number[] {
  return sets.flatMap((needed, i) => (needed.has(chunk) ? [i] : []));
}

/** Returns the modules of an output file. The code of an entry module or of a thread remains in its own file. */
function modulesOf({ moduleIds, facadeModuleId, isEntry }: OutputChunk): string[] {
  return moduleIds.filter((id) => !does.test(id) && !(isEntry && id === facadeModuleId));
}

function without<T>(all: ReadonlySet<T>, others: ReadonlySet<T>): Set<T> {
  return new Set([...all].filter((each) => !others.has(each)));
}

class ChunkGraph {
  readonly #chunks: ReadonlyMap<string, OutputChunk>;
  readonly #importers = new Map<OutputChunk, OutputChunk[]>();

  constructor(chunks: readonly OutputChunk[]) {
    this.#chunks = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    for (const chunk of chunks)
      for (const imported of this.#importsOf(chunk))
        this.#importers.set(imported, [...(this.#importers.get(imported) ?? []), chunk]);
  }

  /** Returns the output files that contain a matching module. */
  chunksOf(module: RegExp): OutputChunk[] {
    return [...this.#chunks.values()].filter(({ moduleIds }) => moduleIds.some((id) => module.test(id)));
  }

  chunkOf(module: RegExp): OutputChunk {
    const [found] = this.chunksOf(module);
    if (found === undefined) throw new Error(`no file in the bundle matches ${module.source}`);
    return found;
  }

  /** Returns the files of a set that no file outside the set imports. */
  onlyWithin(set: ReadonlySet<OutputChunk>): ReadonlySet<OutputChunk> {
    const left = new Set(set);
    for (let before = -1; before !== left.size;) {
      before = left.size;
      for (const chunk of left)
        if (!(this.#importers.get(chunk) ?? []).every((each) => left.has(each))) left.delete(chunk);
    }
    return left;
  }

  /** Returns output files and all files that they import. */
  neededBy(...start: readonly OutputChunk[]): Set<OutputChunk> {
    const found = new Set(start);
    for (const chunk of found) for (const imported of this.#importsOf(chunk)) found.add(imported);
    return found;
  }

  #importsOf({ imports }: OutputChunk): OutputChunk[] {
    return imports.flatMap((name) => this.#chunks.get(name) ?? []);
  }
}
