import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const script = fileURLToPath(new URL('../with-node.mjs', import.meta.url));

describe('workspace script: with-node', () => {
  /** Runs `with-node` with the given arguments. Resolves to its exit code and output. */
  async function withNode(...rest: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const run = promisify(execFile)(process.execPath, [script, ...rest]);
    return run.then(
      (output) => ({ code: 0, ...output }),
      (error: { code: unknown; stdout: string; stderr: string }) => error,
    );
  }

  it('with-node finds the packaged Node and the commands of the workspace', async () => {
    const { stdout } = await withNode('node', '-p', 'process.execPath');
    expect(stdout).to.match(/node_modules[\\/]node-.*bin[\\/]node/);
    expect((await withNode('mocha', '--version')).stdout).to.match(/^\d+\.\d+/);
  });

  const codes: [string, string[], number][] = [
    ['the exit code of the command', ['node', '-e', 'process.exit(3)'], 3],
    ['128 plus the number of the signal that terminated the command', ['node', '-e', 'process.kill(process.pid)'], 143],
    ['127 if the command does not exist', ['no-such-command-of-ours'], 127],
    ['2 if no command is given', [], 2],
  ];
  for (const [title, command, expected] of codes) {
    it(`with-node exits with ${title}`, async () => {
      expect((await withNode(...command)).code).to.equal(expected);
    });
  }

  it('with-node forwards signals and waits for the command to exit', async () => {
    const code = `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('up')`;
    const child = spawn(process.execPath, [script, 'node', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([5, null]);
  });
});
