/** A Caddyfile and all its imports. Names are resolved across all these files. */
import { findFiles } from '@sluice/caddyfile';
import { importsOf, occurrencesOf, type ImportTarget, type Occurrence } from './occurrences.ts';
import { readTree, type Block, type CaddyfileTree, type IsDirective, type Section } from './tree.ts';

/** Returns a file's current content, from the editor or from disk. Returns `null` if the file can't be read. */
export type ReadFile = (path: string) => ProjectFile | null;

/** Maximum number of imported files to read. Projects that people edit by hand have fewer. */
const maxFiles = 500;

export interface ProjectFile {
  readonly path: string;
  readonly tree: CaddyfileTree;
  readonly names: readonly Occurrence[];
  readonly imports: readonly ImportTarget[];
}

export function projectFile(path: string, text: string, isDirective: IsDirective): ProjectFile {
  const tree = readTree(text, path, isDirective);
  return { path, tree, names: occurrencesOf(tree), imports: importsOf(tree) };
}

/** A name and the file that contains it. */
export interface PlacedName extends Occurrence {
  readonly path: string;
}

/** Returns the paths that an import target matches. Returns an empty list for a snippet or a missing file. */
export function importedPaths(target: string, path: string): string[] {
  try {
    return target === '' ? [] : (findFiles(target, path) ?? []);
  } catch {
    return [];
  }
}

/** An import, and the sections that it includes. */
interface ImportEdge {
  readonly target: ImportTarget;
  readonly imported: readonly Section[];
}

export class Project {
  readonly files: readonly ProjectFile[];
  readonly #names: readonly PlacedName[];
  readonly #definitions: ReadonlyMap<string, readonly PlacedName[]>;
  /** Imports and their targets, computed on first use. */
  #edges: readonly ImportEdge[] | null = null;

  constructor(path: string, read: ReadFile) {
    this.files = collect(path, read);
    this.#names = this.files.flatMap((file) => file.names.map((name) => ({ ...name, path: file.path })));
    this.#definitions = Map.groupBy(
      this.#names.filter(({ defines }) => defines),
      ({ kind, name }) => `${kind} ${name}`,
    );
  }

  /** Returns the name at an offset, or `null` if there is none. */
  nameAt(path: string, offset: number): PlacedName | null {
    return this.#names.find((name) => name.path === path && name.start - 1 <= offset && offset <= name.end) ?? null;
  }

  /** Returns all names in a file. */
  namesIn(path: string): readonly PlacedName[] {
    return this.#names.filter((name) => name.path === path);
  }

  /** True if all imports were resolved. Otherwise, names may be defined in files that can't be read. */
  get isComplete(): boolean {
    const snippets = new Set(this.definitions('snippet').map(({ name }) => name));
    return this.files.every(({ path, imports }) =>
      imports.every(({ text }) => snippets.has(text) || importedPaths(text, path).length > 0),
    );
  }

  /** Returns the import through which another file is included, directly or indirectly. */
  importOf(path: string, file: string): ImportTarget | undefined {
    const reaches = (from: string, seen: ReadonlySet<string>): boolean => {
      if (from === file) return true;
      const imports = this.files.find((each) => each.path === from)?.imports ?? [];
      return imports.some(({ text }) =>
        importedPaths(text, from).some((next) => !seen.has(next) && reaches(next, new Set([...seen, next]))),
      );
    };
    const own = this.files.find((each) => each.path === path)?.imports ?? [];
    return own.find(({ text }) => importedPaths(text, path).some((next) => reaches(next, new Set([path, next]))));
  }

  definitionsOf(name: PlacedName): readonly PlacedName[] {
    if (name.defines) return [name];
    const all = this.#definitions.get(`${name.kind} ${name.name}`) ?? [];
    if (name.kind !== 'matcher') return all;
    for (let block: Block | null = name.block; block !== null; block = block.line?.parent ?? null) {
      const own = all.filter((each) => each.block === block);
      if (own.length > 0) return own;
    }
    const linked = all.length === 0 ? new Set<Section>() : this.#linkedTo(name.section);
    return all.filter((each) => isShared(each, name.section, linked));
  }

  /** Returns all occurrences of a name, including the given one. */
  sameAs(name: PlacedName): readonly PlacedName[] {
    const targets = this.definitionsOf(name);
    if (targets.length === 0) return [name];
    return this.#names.filter(
      (each) =>
        each.kind === name.kind &&
        each.name === name.name &&
        this.definitionsOf(each).some((target) => targets.some((own) => isSame(own, target))),
    );
  }

  definitions(kind: Occurrence['kind']): readonly PlacedName[] {
    return this.#names.filter((name) => name.defines && name.kind === kind);
  }

  /** Returns the matchers that are available in a block: matchers of enclosing blocks, and matchers of imported sections. */
  matchersFor(section: Section, block: Block | null): readonly PlacedName[] {
    const around = new Set<Block>();
    for (let each = block; each !== null; each = each.line?.parent ?? null) around.add(each);
    const linked = this.#linkedTo(section);
    return this.definitions('matcher').filter(
      (each) => (each.block !== null && around.has(each.block)) || isShared(each, section, linked),
    );
  }

  /** Returns all sections that share matchers because imports connect them. */
  #linkedTo(section: Section): Set<Section> {
    const linked = new Set<Section>([section]);
    const edges = (this.#edges ??= this.#findEdges());
    for (let size = 0; size !== linked.size;) {
      size = linked.size;
      for (const { target, imported } of edges) {
        if (linked.has(target.section)) for (const each of imported) linked.add(each);
        // Names in a snippet are resolved in the sites that import the snippet, but these sites don't share their other names.
        else if ((section.kind === 'snippet' || section.kind === 'fragment') && imported.includes(section))
          linked.add(target.section);
      }
    }
    return linked;
  }

  #findEdges(): readonly ImportEdge[] {
    const snippets = Map.groupBy(this.definitions('snippet'), ({ name }) => name);
    return this.files.flatMap(({ path, imports }) =>
      imports.map((target) => {
        const found = snippets.get(target.text);
        if (found !== undefined) return { target, imported: found.map(({ section }) => section) };
        const paths = importedPaths(target.text, path);
        const files = this.files.filter((file) => paths.includes(file.path));
        return { target, imported: files.flatMap(({ tree }) => tree.sections) };
      }),
    );
  }
}

/** Reports whether imports make a matcher visible in another section. A matcher nested in a directive is not visible. */
function isShared({ section, block }: PlacedName, by: Section, linked: ReadonlySet<Section>): boolean {
  return section !== by && block?.line === null && linked.has(section);
}

function isSame(a: PlacedName, b: PlacedName): boolean {
  return a.path === b.path && a.start === b.start;
}

/** Reads a file and all its imports. Each file is read only once. */
function collect(path: string, read: ReadFile): ProjectFile[] {
  const files = new Map<string, ProjectFile>();
  const waiting = [path];
  for (let next = waiting.shift(); next !== undefined && files.size < maxFiles; next = waiting.shift()) {
    if (files.has(next)) continue;
    const file = read(next);
    if (file === null) continue;
    files.set(next, file);
    const snippets = new Set(
      file.names.filter(({ kind, defines }) => kind === 'snippet' && defines).map(({ name }) => name),
    );
    for (const { text: target } of file.imports) {
      if (!snippets.has(target)) waiting.push(...importedPaths(target, next));
    }
  }
  return [...files.values()];
}
