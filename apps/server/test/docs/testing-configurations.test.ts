import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readRecipes } from '../support/guide.ts';
import { Sandbox } from '../support/sandbox.ts';

const text = readFileSync(new URL('../../../../docs/guide/testing-configurations.md', import.meta.url), 'utf8');

describe('docs/guide/testing-configurations.md', function () {
  this.timeout(240_000);

  it('the guide to testing configurations shows the actual output @long', async () => {
    const sandbox = new Sandbox();
    try {
      for (const [name, content] of readRecipes(text).files) await sandbox.write(name, content);
      const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
      const lines = blocks.flatMap((block) => block.trimEnd().split('\n'));
      let output = '';
      for (const line of lines) {
        if (line.startsWith('# ')) expect(output).to.match(new RegExp(`^${line.slice(2)} \\(`));
        else {
          const [command = '', file] = line.split(' > ');
          const { stdout, stderr, code } = await sandbox.run(command.split(' ').slice(1));
          expect(`${code}${stderr}`).to.equal('0');
          if (file !== undefined) await sandbox.write(file, stdout);
          output = stdout;
        }
      }
      expect(lines).to.have.lengthOf.above(4);
    } finally {
      await sandbox.remove();
    }
  });
});
