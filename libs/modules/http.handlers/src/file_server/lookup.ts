/** File lookups with a synchronous interface, even for asynchronous file systems. */
import { disk, type FileFacts, type FileSystem, type ImmediateFileSystem, type OpenFile } from '@sluice/http-app';
import { storeOf } from './file-store.ts';

/** Returns metadata and short file contents synchronously. The methods throw file system errors. */
export interface Lookup {
  /** Returns the metadata of a path, or `null` if the path does not exist. */
  stat(path: string): FileFacts | null;
  /** Returns the start of a file as text. The file must exist. */
  text(path: string, facts: FileFacts): string;
}

/** Maximum number of bytes that {@link Lookup.text} reads. */
const maxText = 4096;

/** Lookups on the local disk, which take a microsecond each. */
export const diskLookup: Lookup = {
  stat: (path) => disk.stat(path),
  text: (path, facts) => {
    const store = storeOf(disk);
    const known = store.find(path, facts);
    if (known !== null && known.content !== null) return known.content.toString('utf8', 0, maxText);
    const file = disk.open(path);
    try {
      return (store.load(path, file).content ?? Buffer.alloc(0)).toString('utf8', 0, maxText);
    } finally {
      file.close();
    }
  },
};

/** Reports whether a file system is the local disk, which always works synchronously. */
export function isImmediate(fileSystem: FileSystem): fileSystem is ImmediateFileSystem {
  return fileSystem === disk;
}

/**
 * Runs code that looks up files in an asynchronous file system. If a result is not available yet, the lookup throws. The function then
 * awaits the result and runs the code again, so the code must have no side effects.
 */
export async function withFindings<T>(fileSystem: FileSystem, run: (lookup: Lookup) => T): Promise<T> {
  const lookup = new RememberingLookup(fileSystem);
  for (;;) {
    try {
      return run(lookup);
    } catch (error) {
      if (!(error instanceof NotFoundOutYet)) throw error;
      await error.finding;
    }
  }
}

class NotFoundOutYet extends Error {
  readonly finding: Promise<void>;

  constructor(finding: Promise<void>) {
    super('not known yet');
    this.finding = finding;
  }
}

type Finding<T> = { readonly value: T } | { readonly error: unknown };

class RememberingLookup implements Lookup {
  readonly #fileSystem: FileSystem;
  readonly #facts = new Map<string, Finding<FileFacts | null>>();
  readonly #texts = new Map<string, Finding<string>>();

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  stat(path: string): FileFacts | null {
    return findingOf(this.#facts, path, async () => this.#fileSystem.stat(path));
  }

  text(path: string): string {
    return findingOf(this.#texts, path, async () => {
      const file = await this.#fileSystem.open(path);
      try {
        return await readText(file);
      } finally {
        file.close();
      }
    });
  }
}

function findingOf<T>(findings: Map<string, Finding<T>>, key: string, ask: () => Promise<T>): T {
  const finding = findings.get(key);
  if (finding === undefined) {
    throw new NotFoundOutYet(
      ask().then(
        (value) => void findings.set(key, { value }),
        (error: unknown) => void findings.set(key, { error }),
      ),
    );
  }
  if ('error' in finding) throw finding.error;
  return finding.value;
}

async function readText(file: OpenFile): Promise<string> {
  const buffer = Buffer.alloc(Math.min(file.facts.size, maxText));
  const length = buffer.length === 0 ? 0 : await file.read(buffer, buffer.length, 0);
  return buffer.toString('utf8', 0, length);
}
