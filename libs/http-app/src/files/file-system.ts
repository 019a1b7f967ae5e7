/**
 * File systems that handlers and matchers serve from: the disk, and whatever modules of `caddy.fs` offer under a name.
 * A file system returns a value or a promise, as it can; who asks the disk never waits.
 */
import { appToken, namespace, type AppToken, type Namespace } from '@sluice/registry';

/** Facts of a file or folder. `Stats` of `node:fs` are such facts. */
export interface FileFacts {
  /** Kind and permissions, as in `stat(2)`: `0o100644` is a file, `0o040755` a folder. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change of the content, in milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Time of the last change of anything, in milliseconds since 1970. */
  readonly ctimeMs: number;
  /** What distinguishes two files that had one name after the other; 0 where there is no such thing. */
  readonly ino: number;
}

/** An entry of a folder. Facts are of the entry itself: links are not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly facts: FileFacts;
  /** Time of the last change in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
}

/** A file that can be read. Close it. */
export interface OpenFile {
  readonly facts: FileFacts;
  /** Time of the last change in nanoseconds since 1970; a part of the entity tag. */
  readonly mtimeNs: bigint;
  /** Descriptor of a file on disk, valid until {@link close}; absent for files of other kinds. */
  readonly descriptor?: number;
  /** Reads up to `length` bytes from `position` into the begin of a buffer. Gives how many there were; 0 at the end. */
  read(buffer: Buffer, length: number, position: number): number | Promise<number>;
  close(): void;
}

/**
 * A file system. Paths are made of the configured root and the cleaned path of a request, with `/` between names. Errors
 * have the codes of `node:fs` (`EACCES`, `ENAMETOOLONG` …).
 */
export interface FileSystem {
  /** Facts of what a path names, links followed; `null` if nothing is there. */
  stat(path: string): FileFacts | null | Promise<FileFacts | null>;
  /** Opens a file. Must not wait for what may never come, such as the other end of a pipe. */
  open(path: string): OpenFile | Promise<OpenFile>;
  /** Entries of a folder in no particular order, at most `limit`. */
  list(path: string, limit: number): Promise<FolderEntry[]>;
  /** The text of a symbolic link. */
  readLink(path: string): string | Promise<string>;
}

/** A file system that never makes wait for facts and for opening, such as the disk. */
export interface ImmediateFileSystem extends FileSystem {
  stat(path: string): FileFacts | null;
  open(path: string): OpenFile;
}

/** `caddy.fs`: inline key `backend`. */
export const fileSystems: Namespace<FileSystem> = namespace<FileSystem>('caddy.fs');

/** File systems by the names that the configuration gives them. */
export interface FileSystemsApp {
  find(name: string): FileSystem | undefined;
}

/** The app `caddy.filesystems`. */
export const fileSystemsApp: AppToken<FileSystemsApp> = appToken<FileSystemsApp>('caddy.filesystems');

const kindMask = 0o170000;

export function isPlainFile(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o100000;
}

export function isFolder(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o040000;
}

/** Whether facts are those of a symbolic link. */
export function isLink(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o120000;
}
