/** A folder of a test with its own home, and the built command line run in it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** The command as it is published: one bundle, which starts three times as fast as the files of its build. `mocha.mjs` makes it before. */
const packagedCommand = join(workspace, 'tools/packaging/out/tested/bin/sluice.js');

/** The command of the workspace, which runs the build if there is one and the sources otherwise. For tests that look at files of the workspace. */
export const workspaceCommand: string = join(workspace, 'apps/server/bin/sluice.js');

/** Code that was compiled for one server of a test is not compiled for the next. */
const compileCache = join(workspace, 'node_modules/.cache/sluice');

/** What a command that has ended left. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with beside its arguments. */
export interface RunSettings {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It leaves a process behind that keeps standard error open: do not read that. */
  readonly background?: boolean;
  /** Standard input stays open, for what is spoken over it. */
  readonly keepOpen?: boolean;
  /** Open files that the command gets as its descriptors from 3 on. */
  readonly inherit?: readonly number[];
}

/** A command that was started. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

/** What starts `sluice`: a sandbox, or one with settings. */
export interface Starter {
  start(args: readonly string[]): Started;
}

/** One folder, removed with everything that still runs in it. */
export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  readonly #running = new Set<ChildProcess>();
  /** The file that is run as `sluice`. */
  command = packagedCommand;

  /** Path of a file of the sandbox. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file, as JSON unless it is a text. Returns its path. */
  async write(name: string, content: unknown): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** The folder of saved configurations and modules. */
  get configuration(): string {
    return this.path('config/sluice');
  }

  /** Starts with the same settings whenever {@link TestServer} is given it in place of the sandbox. */
  with(settings: RunSettings): Starter {
    return { start: (args) => this.start(args, settings) };
  }

  /** Starts `sluice` with these arguments. */
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

  /** Runs `sluice` to its end. */
  run(args: readonly string[], settings?: RunSettings): Promise<Ended> {
    return this.start(args, settings).ended;
  }

  /**
   * Runs `sluice` on a terminal (that of `script` of util-linux) until its output is enough, then ends it. Resolves with
   * the output, or `null` where there is no such program.
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
    // What ends a program on a terminal: ^C.
    const closed = new Promise((resolve) => child.once('close', resolve));
    if (!isMissing && child.exitCode === null) {
      child.stdin?.write('\u0003');
      await closed;
    }
    this.#running.delete(child);
    return isMissing ? null : output;
  }

  /** Ends what runs, and removes the folder. */
  async remove(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all([...this.#running].map((child) => new Promise((resolve) => child.once('close', resolve))));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Waits until something is true. */
export async function until(true_: () => boolean | Promise<boolean>, what: string, patience = 60_000): Promise<void> {
  const end = performance.now() + patience;
  while (!(await true_())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
