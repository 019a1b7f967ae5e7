/**
 * Runs the bindings in a child process that collects garbage before calls to C. Freed memory is overwritten (`MALLOC_PERTURB_`), so that
 * its use has an effect. If GCC is installed, AddressSanitizer also detects the use of freed memory by libc functions.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';

const folder = fileURLToPath(new URL('.', import.meta.url));
const workspace = fileURLToPath(new URL('../../../', import.meta.url));
const preload = new URL('collected/collect-at-calls.ts', import.meta.url).href;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program with garbage collection at one in `oneIn` calls. */
async function run(program: readonly string[], oneIn: number, environment: NodeJS.ProcessEnv): Promise<Run> {
  const flags = ['--conditions=@sluice/source', '--import', preload];
  const child = spawn(process.execPath, [...flags, ...program], {
    cwd: workspace,
    env: { ...process.env, COLLECT_ONE_IN: String(oneIn), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Returns the path of GCC's AddressSanitizer, or `null` if it is not installed. */
function addressSanitizer(): string | null {
  const { status, stdout } = spawnSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' });
  const path = status === 0 ? stdout.trim() : '';
  return path.startsWith('/') && existsSync(path) ? path : null;
}

function expectSuccess({ code, output }: Run, collections: number): void {
  expect(code, output).to.equal(0);
  expect(Number(/collections: (\d+)/.exec(output)?.[1]), output).to.be.greaterThan(collections);
}

const perturbed = { MALLOC_PERTURB_: '165' };

describe('memory of the native bindings', function () {
  before(function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
  });

  // Attack in docs/security.md: Calls to the native bindings with wrong buffer lengths or freed handles; exceptions in their callbacks.
  it('the native bindings pass their self-test with garbage collection at every call to C', async function () {
    this.timeout(120_000);
    expectSuccess(await run([`${folder}collected/main.ts`, '15'], 1, perturbed), 3000);
  });

  it('the native bindings pass their self-test with garbage collection at every call to C and AddressSanitizer @long', async function () {
    this.timeout(600_000);
    const sanitizer = addressSanitizer();
    if (sanitizer === null) this.skip();
    // Freed memory is overwritten and not reused soon, so that its use by OpenSSL also has an effect.
    const options = 'detect_leaks=0:max_free_fill_size=65536:free_fill_byte=165';
    const environment = { LD_PRELOAD: sanitizer, ASAN_OPTIONS: options };
    expectSuccess(await run([`${folder}collected/main.ts`, '20'], 1, environment), 4000);
  });

  it('the tests of the native bindings pass with garbage collection at calls to C @long', async function () {
    this.timeout(900_000);
    const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && !import.meta.url.endsWith(name));
    const mocha = [
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      '--exit',
      '--timeout',
      '300000',
      '--reporter',
      'dot',
    ];
    const result = await run([...mocha, ...files.map((name) => folder + name)], 5, perturbed);
    expectSuccess(result, 10_000);
    expect(result.output).to.match(/\d+ passing/);
  });
});
