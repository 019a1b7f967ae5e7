/**
 * File systems for handlers and matchers: the disk, and named file systems from `caddy.fs` modules. Methods may return a value or a
 * promise. The disk always returns values.
 */
import { appToken, namespace, type AppToken, type Namespace } from '@sluice/registry';

/** Metadata of a file or directory, compatible with `Stats` from `node:fs`. */
export interface FileFacts {
  /** File type and permissions, as in `stat(2)`. For example, `0o100644` is a file, and `0o040755` is a directory. */
  readonly mode: number;
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last content change, in milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Time of the last content or metadata change, in milliseconds since 1970. */
  readonly ctimeMs: number;
  /** Inode number, which distinguishes files that replace each other under the same name. 0 if not supported. */
  readonly ino: number;
}

/** A directory entry. The metadata describes the entry itself, without following symbolic links. */
export interface FolderEntry {
  readonly name: string;
  readonly facts: FileFacts;
  /** Time of the last content change, in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
}

/** A file opened for reading. The caller must close it. */
export interface OpenFile {
  readonly facts: FileFacts;
  /** Time of the last content change, in nanoseconds since 1970. The entity tag contains this value. */
  readonly mtimeNs: bigint;
  /** File descriptor of a file on disk, valid until {@link close}. Missing in other file systems. */
  readonly descriptor?: number;
  /** Reads up to `length` bytes at `position` into the start of a buffer. Returns the number of bytes read, or 0 at the end of the file. */
  read(buffer: Buffer, length: number, position: number): number | Promise<number>;
  close(): void;
}

/**
 * A file system. Each path is the configured root joined with the cleaned request path, and uses `/` as the separator. Errors have the same
 * codes as in `node:fs`, such as `EACCES` and `ENAMETOOLONG`.
 */
export interface FileSystem {
  /** Returns the metadata of a path, following symbolic links. Returns `null` if the path does not exist. */
  stat(path: string): FileFacts | null | Promise<FileFacts | null>;
  /** Opens a file. Must not block indefinitely, for example while waiting for the other end of a pipe. */
  open(path: string): OpenFile | Promise<OpenFile>;
  /** Returns up to `limit` directory entries in unspecified order. */
  list(path: string, limit: number): Promise<FolderEntry[]>;
  /** Returns the target of a symbolic link. */
  readLink(path: string): string | Promise<string>;
}

/** A file system whose `stat` and `open` methods are synchronous, such as the disk. */
export interface ImmediateFileSystem extends FileSystem {
  stat(path: string): FileFacts | null;
  open(path: string): OpenFile;
}

/** Module namespace `caddy.fs`, with the inline key `backend`. */
export const fileSystems: Namespace<FileSystem> = namespace<FileSystem>('caddy.fs');

export interface FileSystemsApp {
  find(name: string): FileSystem | undefined;
}

/** The `caddy.filesystems` app. */
export const fileSystemsApp: AppToken<FileSystemsApp> = appToken<FileSystemsApp>('caddy.filesystems');

const kindMask = 0o170000;

export function isPlainFile(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o100000;
}

export function isFolder(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o040000;
}

export function isLink(facts: FileFacts): boolean {
  return (facts.mode & kindMask) === 0o120000;
}
