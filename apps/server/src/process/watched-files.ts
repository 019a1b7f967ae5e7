/** The files that a configuration was read from, and how they were then. */
import { globSync, statSync } from 'node:fs';

/** Notes files as they are read, and tells whether one has changed since. */
export class WatchedFiles {
  readonly #states = new Map<string, string>();

  /** Forgets all: they are about to be read again. */
  clear(): void {
    this.#states.clear();
  }

  /** Notes a path, or a pattern whose files may change, come and go, as it is now. Call it before reading. */
  note(name: string): void {
    if (!this.#states.has(name)) this.#states.set(name, stateOfAll(name));
  }

  /** Whether anything is not as it was noted. */
  get changed(): boolean {
    for (const [name, state] of this.#states) if (stateOfAll(name) !== state) return true;
    return false;
  }
}

/** A file's time of change, size and inode: two writes within the tick of a clock, and a file put in place of another, are changes. */
function stateOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}

/** A name that looks like a pattern may be that of a file, too. */
function stateOfAll(name: string): string {
  const own = stateOf(name);
  if (!/[*?[]/.test(name)) return own;
  const fitting = globSync(name).sort();
  return [own, ...fitting.map((path) => `${path} ${stateOf(path)}`)].join('\n');
}
