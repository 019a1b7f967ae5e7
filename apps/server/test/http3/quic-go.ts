/** Builds the client in `quic-go/` once, if Go is installed. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandOf } from '@sluice/testing';

const source = fileURLToPath(new URL('./quic-go', import.meta.url));
const run = promisify(execFile);

/** Results that the client observed. */
export interface Seen {
  readonly proto?: string;
  readonly status?: number;
  readonly body?: string;
  readonly bytes?: number;
  readonly digest?: string;
  readonly resumed?: readonly boolean[];
  readonly early?: boolean;
  readonly names?: readonly string[];
  readonly done?: number;
  readonly seconds?: number;
  readonly error?: string;
}

/** The built client. */
export class QuicGo {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds the client. Returns `null` if Go or its modules are not available. */
  static async build(): Promise<QuicGo | null> {
    const go = commandOf('go');
    if (go === null) return null;
    const folder = await mkdtemp(join(tmpdir(), 'sluice-quic-go-'));
    await cp(source, folder, { recursive: true });
    try {
      await run(go, ['build', '-o', 'client', '.'], { cwd: folder, timeout: 300_000 });
      return new QuicGo(folder);
    } catch {
      await rm(folder, { recursive: true });
      return null;
    }
  }

  /** Runs one case. */
  async play(url: string, options: Readonly<Record<string, string | number>> = {}): Promise<Seen> {
    const args = Object.entries({ url, ...options }).flatMap(([name, value]) => [`-${name}`, String(value)]);
    const { stdout } = await run(join(this.#folder, 'client'), args, { timeout: 120_000, maxBuffer: 1 << 24 });
    return JSON.parse(stdout) as Seen;
  }

  /**
   * Starts a quic-go server that serves a directory at `/files/` and echoes at `/echo`. Resolves to the address and a function that stops
   * the server.
   */
  serve(
    root: string,
    cert: string,
    key: string,
  ): Promise<{ readonly address: string; readonly process: ChildProcess }> {
    const process = spawn(join(this.#folder, 'client'), ['-case', 'serve', '-root', root, '-cert', cert, '-key', key], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new Promise((resolve, reject) => {
      process.once('error', reject);
      process.once('exit', () => reject(new Error('the server of quic-go has exited')));
      process.stdout.once('data', (line: Buffer) => resolve({ address: line.toString().trim(), process }));
    });
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
