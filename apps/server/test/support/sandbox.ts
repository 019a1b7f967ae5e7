/** A temporary directory with a separate home directory in which tests run the built command line. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** The published command. It is a bundle that starts three times as fast as separate files. `mocha.mjs` creates the bundle. */
const packagedCommand = join(workspace, 'tools/packaging/out/tested/bin/sluice.js');

/** The workspace command, which runs the build, or the sources if there is no build. Used to test workspace files. */
export const workspaceCommand: string = join(workspace, 'apps/server/bin/sluice.js');

/** Compile cache shared by all servers that tests start. */
const compileCache = join(workspace, 'node_modules/.cache/sluice');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunSettings {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** If true, standard error is not read, because a background process keeps it open. */
  readonly background?: boolean;
  /** If true, standard input stays open for interactive use. */
  readonly keepOpen?: boolean;
  /** File descriptors that the process inherits, starting at descriptor 3. */
  readonly inherit?: readonly number[];
}

/** A running command. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

/** Starts `sluice`, either in a plain sandbox or with additional settings. */
export interface Starter {
  start(args: readonly string[]): Started;
}

/** A temporary directory. Removing it also terminates all processes started in it. */
export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  readonly #running = new Set<ChildProcess>();
  /** File to execute as `sluice`. */
  command = packagedCommand;

  /** Returns the path of a file in the sandbox. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file. Content that is not a string is written as JSON. Returns the path of the file. */
  async write(name: string, content: unknown): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** Directory that contains the saved configuration and the modules. */
  get configuration(): string {
    return this.path('config/sluice');
  }

  /** Returns a starter with fixed settings for {@link TestServer}. */
  with(settings: RunSettings): Starter {
    return { start: (args) => this.start(args, settings) };
  }

  start(args: readonly string[], settings: RunSettings = {}): Started {
    const { stdin = '', env = {}, background = false, keepOpen = false, inherit = [] } = settings;
    const child = spawn(process.execPath, [this.command, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        HOME: this.folder,
        XDG_CONFIG_HOME: this.path('config'),
        XDG_DATA_HOME: this.path('data'),
        NODE_COMPILE_CACHE: compileCache,
        ...env,
      },
      stdio: ['pipe', 'pipe', background ? 'ignore' : 'pipe', ...inherit],
    });
    this.#running.add(child);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin?.on('error', () => {}).write(stdin);
    if (!keepOpen) child.stdin?.end();
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        this.#running.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  }

  run(args: readonly string[], settings?: RunSettings): Promise<Ended> {
    return this.start(args, settings).ended;
  }

  /**
   * Runs `sluice` on a terminal, simulated with `script` of util-linux, until the output is sufficient. Resolves to the output, or to
   * `null` if `script` is not installed.
   */
  async onTerminal(args: readonly string[], isEnough: (output: string) => boolean): Promise<string | null> {
    const quoted = [process.execPath, this.command, ...args].map((text) => `'${text}'`).join(' ');
    const env = { PATH: process.env.PATH, HOME: this.folder, XDG_CONFIG_HOME: this.path('config'), TERM: 'xterm' };
    const child = spawn('script', ['-qec', `exec ${quoted}`, '/dev/null'], {
      cwd: this.folder,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#running.add(child);
    let output = '';
    let isMissing = false;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', () => (isMissing = true)).once('close', () => this.#running.delete(child));
    await until(() => isMissing || child.exitCode !== null || isEnough(output), 'output on a terminal');
    // Terminates a program on a terminal with ^C.
    const closed = new Promise((resolve) => child.once('close', resolve));
    if (!isMissing && child.exitCode === null) {
      child.stdin?.write('\u0003');
      await closed;
    }
    this.#running.delete(child);
    return isMissing ? null : output;
  }

  async remove(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all([...this.#running].map((child) => new Promise((resolve) => child.once('close', resolve))));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Polls until a condition is true. */
export async function until(true_: () => boolean | Promise<boolean>, what: string, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await true_())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeout} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
