import { globSync, statSync } from 'node:fs';

/** Records the state of the files of a configuration, and detects changes. */
export class WatchedFiles {
  readonly #states = new Map<string, string>();

  clear(): void {
    this.#states.clear();
  }

  /** Records the current state of a path or glob pattern. Must be called before reading. */
  note(name: string): void {
    if (!this.#states.has(name)) this.#states.set(name, stateOfAll(name));
  }

  /** True if any file differs from the recorded state. */
  get changed(): boolean {
    for (const [name, state] of this.#states) if (stateOfAll(name) !== state) return true;
    return false;
  }
}

/** Returns modification time, size and inode, which also reveal replaced files and two writes within one clock tick. */
function stateOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}

/** Returns the state of all files that match a name. A name that looks like a pattern may also be a file. */
function stateOfAll(name: string): string {
  const own = stateOf(name);
  if (!/[*?[]/.test(name)) return own;
  const fitting = globSync(name).sort();
  return [own, ...fitting.map((path) => `${path} ${stateOf(path)}`)].join('\n');
}
