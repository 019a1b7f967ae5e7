/**
 * Manages the file of a Unix socket. The socket is bound under a temporary name and then renamed, so that the file never has the wrong
 * permissions.
 *
 * Renaming also prevents Node from removing the file when the socket closes. By then, another process may have replaced the file.
 */
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** Maximum length of a socket path in bytes, excluding the terminating NUL (unix(7)). */
const maxPath = 107;

/** The file of one Unix socket. Create this object before binding the socket. */
export class SocketFile {
  readonly path: string;
  /** Path to which the socket is bound. Equal to `path` if a temporary name would be too long. */
  readonly boundPath: string;
  /** Identity of the socket file. `null` while the file does not exist. */
  #identity: string | null = null;

  constructor(path: string) {
    this.path = path;
    const beside = `${path}~${process.pid}`;
    this.boundPath = Buffer.byteLength(beside) > maxPath ? path : beside;
  }

  /**
   * Claims the path for a new socket. Removes a socket file that a killed process left behind.
   *
   * Rejects with `EADDRINUSE` if a process listens on the socket, or if the file is not a socket.
   */
  static async claim(path: string): Promise<SocketFile> {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true && (await refusesConnections(path)))
      unlinkSync(path);
    if (identityOf(path) === null) return new SocketFile(path);
    throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${path}`), { code: 'EADDRINUSE' });
  }

  /** Returns an object for the file of a socket that the previous process bound. */
  static existing(path: string): SocketFile {
    const file = new SocketFile(path);
    file.#identity = identityOf(path);
    return file;
  }

  /** Sets the permissions of the bound socket and renames the file to the final path. */
  publish(mode: number): void {
    chmodSync(this.boundPath, mode);
    if (this.boundPath !== this.path) renameSync(this.boundPath, this.path);
    this.#identity = identityOf(this.path);
  }

  /** Removes the socket file, unless another socket has replaced it. */
  remove(): void {
    if (this.#identity !== null && identityOf(this.path) === this.#identity) unlinkSync(this.path);
    this.#identity = null;
  }
}

function refusesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

/** Returns a string that identifies a file. Inode numbers are reused, so the string also contains the creation time. */
function identityOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
