/** Runs the tests of a Go package. They are compiled once and run one by one, so each test has a separate result. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface TestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly output: string;
}

/** The compiled tests of one Go package. */
export class GoTests {
  /** Directory of the package, used as the working directory of the tests. */
  readonly folder: string;
  readonly #binary: string;

  private constructor(folder: string, binary: string) {
    this.folder = folder;
    this.#binary = binary;
  }

  /** Compiles the tests of the package `path` in a checkout to the file `binary`. On failure, throws an error with the compiler output. */
  static compile(checkout: string, path: string, binary: string): GoTests {
    const folder = join(checkout, path);
    if (!existsSync(folder)) throw new Error(`${folder} does not exist: --suite must be a checkout of Caddy`);
    const { status, error } = spawnSync('go', ['test', '-c', '-o', binary, '.'], { cwd: folder, stdio: 'inherit' });
    if (error !== undefined) throw new Error(`cannot run go: ${error.message}`);
    if (status !== 0) throw new Error('the suite did not compile');
    return new GoTests(folder, binary);
  }

  /** Returns the names of all tests in order. */
  list(): string[] {
    const { stdout } = spawnSync(this.#binary, ['-test.list', '.'], { cwd: this.folder, encoding: 'utf8' });
    return stdout.split('\n').filter((name) => name.startsWith('Test'));
  }

  /** Runs one test. The timeout is in seconds. */
  async run(name: string, seconds: number): Promise<TestResult> {
    const args = ['-test.v', '-test.count=1', `-test.timeout=${seconds}s`, `-test.run=^${name}$`];
    const child = spawn(this.#binary, args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => void (output = `${output}${chunk.toString()}`.slice(-100_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    const outcome = code !== 0 ? 'failed' : output.includes(`--- SKIP: ${name} `) ? 'skipped' : 'passed';
    return { outcome, output };
  }
}
