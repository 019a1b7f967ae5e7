import { globSync, statSync } from 'node:fs';

/** Recorded state of a configuration's files, used to detect changes. */
export class WatchedFiles {
  readonly #states = new Map<string, string>();

  clear(): void {
    this.#states.clear();
  }

  /** Records the current state of a path or glob pattern. Must be called before the file is read. */
  note(name: string): void {
    if (!this.#states.has(name)) this.#states.set(name, stateOfAll(name));
  }

  /** True if the state of any file differs from the recorded state. */
  get changed(): boolean {
    for (const [name, state] of this.#states) if (stateOfAll(name) !== state) return true;
    return false;
  }
}

/** Returns a file's modification time, size and inode. Size and inode also reveal replaced files, and two writes within one clock tick. */
function stateOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}

/** Returns the state of all files that match a path or glob pattern. A file name may also look like a pattern. */
function stateOfAll(name: string): string {
  const own = stateOf(name);
  if (!/[*?[]/.test(name)) return own;
  const fitting = globSync(name).sort();
  return [own, ...fitting.map((path) => `${path} ${stateOf(path)}`)].join('\n');
}
