/**
 * The file of a Unix socket. It is bound under a name of its own and then renamed, so that it is never there without its
 * permissions, and so that closing the socket does not remove it: Node would, although another process may have taken over.
 */
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** The longest path of a socket that the system takes, in bytes (unix(7), less the zero at its end). */
const maxPath = 107;

/** The file of one socket, from before it is bound. */
export class SocketFile {
  readonly path: string;
  /** Where the socket is bound at first; the path itself where there is no room for more. */
  readonly boundPath: string;
  /** Which file it is, while it is there. */
  #identity: string | null = null;

  constructor(path: string) {
    this.path = path;
    const beside = `${path}~${process.pid}`;
    this.boundPath = Buffer.byteLength(beside) > maxPath ? path : beside;
  }

  /**
   * The file of a socket that is bound next, where no other file is. A socket that a killed process has left there is
   * removed. Fails with `EADDRINUSE` if there is one that a process listens on, or a file of another kind.
   */
  static async claim(path: string): Promise<SocketFile> {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true && (await refusesConnections(path)))
      unlinkSync(path);
    if (identityOf(path) === null) return new SocketFile(path);
    throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${path}`), { code: 'EADDRINUSE' });
  }

  /** The file of a socket that is bound already, by the process before. */
  static existing(path: string): SocketFile {
    const file = new SocketFile(path);
    file.#identity = identityOf(path);
    return file;
  }

  /** The socket is bound: gives it its permissions and its name. */
  publish(mode: number): void {
    chmodSync(this.boundPath, mode);
    if (this.boundPath !== this.path) renameSync(this.boundPath, this.path);
    this.#identity = identityOf(this.path);
  }

  /** Removes it, unless another socket has taken its place. */
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

/** Numbers of files are used again, so the time at which it was made belongs to it. */
function identityOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
