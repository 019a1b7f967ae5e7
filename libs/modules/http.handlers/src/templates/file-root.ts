/** Allows templates to read only files below a root directory. */
import fs from 'node:fs';
import path from 'node:path';
import { decodeText, goType, Instant } from '@sluice/text-template';

const maxFileSize = 16 * 1024 * 1024;
/** Maximum size of a file that is cached in memory until it changes, in bytes. */
const maxKeptSize = 256 * 1024;
const maxKept = 256;

interface Kept {
  readonly mtime: number;
  readonly size: number;
  readonly text: string;
}

/** Cached file contents by absolute path, in each thread. The least recently used content is first. */
const kept = new Map<string, Kept>();

/** File metadata. Its members have the same names as in Go. */
class FileInfo {
  static {
    Object.defineProperty(FileInfo.prototype, goType, { value: '*os.fileStat' });
  }

  readonly #name: string;
  readonly #stats: fs.Stats;

  constructor(name: string, stats: fs.Stats) {
    this.#name = name;
    this.#stats = stats;
  }

  Name(): string {
    return this.#name;
  }

  Size(): number {
    return this.#stats.size;
  }

  IsDir(): boolean {
    return this.#stats.isDirectory();
  }

  ModTime(): Instant {
    return Instant.fromDate(this.#stats.mtime);
  }
}

/** Root directory for all file names. `/a`, `a` and `../a` all refer to the same file. */
export class FileRoot {
  /** Root directory as configured, with placeholders expanded. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  read(name: string): string {
    const full = this.#resolve(name);
    const stats = this.#stat(full, name);
    if (!stats.isFile())
      throw new Error(`read ${name}: is ${stats.isDirectory() ? 'a directory' : 'not a regular file'}`);
    if (stats.size > maxFileSize) throw new Error(`read ${name}: exceeds ${maxFileSize} bytes`);
    const known = kept.get(full);
    if (known !== undefined && known.mtime === stats.mtimeMs && known.size === stats.size) {
      kept.delete(full);
      kept.set(full, known);
      return known.text;
    }
    kept.delete(full);
    const text = decodeText(fs.readFileSync(full));
    if (stats.size <= maxKeptSize) {
      kept.set(full, { mtime: stats.mtimeMs, size: stats.size, text });
      if (kept.size > maxKept) kept.delete(kept.keys().next().value as string);
    }
    return text;
  }

  /** Returns the names in a directory, in the order of the file system. */
  list(name: string): string[] {
    const full = this.#resolve(name);
    if (!this.#stat(full, name).isDirectory()) throw new Error(`readdir ${name}: not a directory`);
    return fs.readdirSync(full);
  }

  exists(name: string): boolean {
    return !name.includes('\0') && fs.existsSync(this.#resolve(name));
  }

  stat(name: string): FileInfo {
    const full = this.#resolve(name);
    return new FileInfo(path.basename(full), this.#stat(full, name));
  }

  #stat(full: string, name: string): fs.Stats {
    const stats = fs.statSync(full, { throwIfNoEntry: false });
    if (stats === undefined) throw new Error(`open ${name}: no such file or directory`);
    return stats;
  }

  #resolve(name: string): string {
    if (name.includes('\0')) throw new Error(`open ${JSON.stringify(name)}: not a file name`);
    // On Windows, a backslash is a path separator and could lead outside of the root directory.
    const relative = path.posix.normalize(`/${path.sep === '\\' ? name.replaceAll('\\', '/') : name}`);
    return path.join(this.name, relative);
  }
}
