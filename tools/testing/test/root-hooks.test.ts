import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const hooks = fileURLToPath(new URL('../src/root-hooks.ts', import.meta.url));

describe('mocha root hooks', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-hooks-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs Mocha with the root hooks on test files with the given contents. Resolves to its exit code and output. */
  function runMocha(...contents: string[]): Promise<{ code: unknown; output: string }> {
    const files = contents.map((content, index) => {
      const file = join(folder, `${index}.mjs`);
      writeFileSync(file, content);
      return file;
    });
    const { NODE_OPTIONS: _, SLUICE_TEST_RESULTS: __, ...environment } = process.env;
    return new Promise((done) => {
      const options = { cwd: folder, env: environment };
      execFile(
        process.execPath,
        [mocha, '--exit', '--timeout', '30000', '--require', hooks, ...files],
        options,
        (error, stdout) => {
          done({ code: error ? error.code : 0, output: stdout });
        },
      );
    });
  }

  const leaks: [string, string, RegExp][] = [
    ['a server', `createServer().listen(0, '127.0.0.1', done)`, /leaves 1 TCPServerWrap behind/],
    ['a timer', 'setInterval(() => {}, 1000); done()', /leaves 1 Timeout behind/],
    [
      'a worker',
      `new Worker('setInterval(() => {}, 1000)', { eval: true }).on('online', () => done())`,
      /leaves 1 Worker behind/,
    ],
    [
      'a child process',
      `spawn(process.execPath, ['-e', 'setTimeout(() => {}, 15_000)'], { stdio: 'ignore' }).on('spawn', () => done())`,
      /leaves 1 ProcessWrap behind/,
    ],
  ];
  const head = `import { createServer } from 'node:net'; import { Worker } from 'node:worker_threads'; import { spawn } from 'node:child_process';`;
  for (const [what, code, expected] of leaks) {
    it(`the mocha root hooks fail a suite that leaves ${what} open, but not the next suite @long`, async () => {
      const result = await runMocha(
        `${head} describe('leaky', () => { it('works', (done) => { ${code}; }); });`,
        `describe('tidy', () => { it('works', () => {}); });`,
      );
      expect(result.output).to.match(expected).and.contain('1 failing').and.contain('2 passing');
      expect(result.code).to.equal(1);
    });
  }

  it('the mocha root hooks pass a suite that releases all resources in its own hooks', async () => {
    const result = await runMocha(
      `${head} describe('tidy', () => { let server; before((done) => { server = createServer().listen(0, '127.0.0.1', done); });
       after(() => { server.close(); }); it('works', () => { setTimeout(() => {}, 50); }); });`,
    );
    expect(result.output).to.contain('1 passing');
    expect(result.code).to.equal(0);
  });
});
