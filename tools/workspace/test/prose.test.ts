import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { workspaceEnvironment } from '../node-path.mjs';
import { workspaceRoot } from '../packages.mjs';

/** Returns the problems that textlint reports for a text, using the workspace's configuration. */
function problemsIn(file: string, text: string): string[] {
  const args = ['--format', 'unix', '--stdin', '--stdin-filename', file];
  const { stdout } = spawnSync('textlint', args, {
    cwd: workspaceRoot,
    env: workspaceEnvironment(),
    input: text,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return stdout.split('\n').filter((line) => line.startsWith(file));
}

describe('workspace terms in terms.yml', () => {
  it('textlint rejects wrong terms in documents, including headings, links and emphasis', () => {
    const text = '# Provisioned anew\n\nA [roll-out](https://localhost) is *under way*.\n\n> instead of nobody\n';
    expect(problemsIn('a.md', text).map((line) => line.split(':')[1])).to.deep.equal(['1', '3', '3', '5']);
  });

  it('textlint rejects wrong terms in code, and reports the line', () => {
    const text = "const a = 1;\n/** It is no list. */\nthrow new Error('a roll-out is pending');\n";
    expect(problemsIn('a.ts', text).map((line) => line.split(':')[1])).to.deep.equal(['2', '3']);
  });

  it('textlint accepts correct text that is similar to wrong terms', () => {
    const text = 'There are no lists. It is no longer there. const noBody = 1; <figure> A response, again.\n';
    expect(problemsIn('a.md', text)).to.deep.equal([]);
    expect(problemsIn('a.ts', text)).to.deep.equal([]);
  });
});
