/** Groups modules that are always loaded together into a few files. */
import type { OutputChunk } from 'rolldown';

const main = /\/apps\/server\/src\/main\.ts$/;
const worker = /\/apps\/server\/src\/worker\.ts$/;
const serve = /\/apps\/server\/src\/serve\.ts$/;

/**
 * Returns the role of each module, determined from a bundle built without roles. The role is `traffic` for modules that all server threads
 * load. It is `control` for modules that only the control thread loads. Modules needed by the command line have no role, so that other
 * commands do not load more. Modules shared with parts that only some servers load have no role either.
 */
export function rolesOf(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  const graph = new ChunkGraph(chunks);
  const commandLine = graph.neededBy(main);
  const traffic = without(graph.neededBy(worker), commandLine);
  const control = without(graph.neededBy(serve), new Set([...commandLine, ...traffic]));
  for (let before = -1; before !== control.size;) {
    before = control.size;
    for (const chunk of control)
      if (!graph.importersOf(chunk).every((each) => control.has(each))) control.delete(chunk);
  }
  const roles = new Map<string, string>();
  for (const chunk of traffic) for (const id of modulesOf(chunk)) roles.set(id, 'traffic');
  for (const chunk of control) for (const id of modulesOf(chunk)) roles.set(id, 'control');
  return roles;
}

/** Returns the modules of an output file. The code of an entry module remains in the entry's file. */
function modulesOf({ moduleIds, facadeModuleId, isEntry }: OutputChunk): string[] {
  return isEntry ? moduleIds.filter((id) => id !== facadeModuleId) : moduleIds;
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

  importersOf(chunk: OutputChunk): readonly OutputChunk[] {
    return this.#importers.get(chunk) ?? [];
  }

  /** Returns the output file that contains a matching module, and all files that it imports. */
  neededBy(start: RegExp): Set<OutputChunk> {
    const first = [...this.#chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => start.test(id)));
    if (first === undefined) throw new Error(`no file in the bundle matches ${start.source}`);
    const found = new Set([first]);
    for (const chunk of found) for (const imported of this.#importsOf(chunk)) found.add(imported);
    return found;
  }

  #importsOf({ imports }: OutputChunk): OutputChunk[] {
    return imports.flatMap((name) => this.#chunks.get(name) ?? []);
  }
}
