import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { stepsIn, type Step } from '../support/guide.ts';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const run = promisify(execFile);
/** Guide chapters whose examples are run, each with a separate server. */
const chapters = ['admin-api.md', 'observing.md'];

/** Returns the commands of the guide, grouped by code block. */
function stepsOf(text: string): Step[][] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => stepsIn(block));
}

for (const chapter of chapters) {
  describe(`guide docs/guide/${chapter}`, () => {
    const guide = readFileSync(new URL(`../../../../docs/guide/${chapter}`, import.meta.url), 'utf8');

    it('every chapter of the guide shows the actual output @long', async function () {
      this.timeout(30_000);
      const haveCurl = await run('curl', ['--version']).then(
        () => true,
        () => false,
      );
      if (!haveCurl) this.skip();
      const sandbox = new Sandbox();
      try {
        const server = await TestServer.run(sandbox, []);
        const site = await freePort();
        const FOLDER = sandbox.folder;
        const env = {
          ...process.env,
          FOLDER,
          ADMIN: `http://127.0.0.1:${server.adminPort}`,
          SITE: `http://127.0.0.1:${site}`,
        };
        const fill = (text: string): string =>
          text
            .replace('$ADMIN_LISTEN', `127.0.0.1:${server.adminPort}`)
            .replace('$SITE_LISTEN', `127.0.0.1:${site}`)
            .replaceAll('$FOLDER', FOLDER);
        const blocks = stepsOf(guide);
        expect(blocks.length).to.be.greaterThan(6);
        for (const steps of blocks) {
          // Waits because log entries and events arrive with a short delay.
          const settle = /^(?:tail|cat)/.test(steps[0]?.command ?? '') ? 'sleep 0.5\n' : '';
          const script = settle + steps.map(({ command }) => `${fill(command)}\necho; echo ---`).join('\n');
          const { stdout } = await run('bash', ['-ec', script], { env });
          const outputs = stdout.split('\n---\n');
          for (const [i, { command, shown }] of steps.entries()) {
            const output = (outputs[i] ?? '').trim();
            if (shown === null) expect(output, command).to.equal('');
            else expect(output.slice(0, shown.length), command).to.equal(shown);
          }
        }
        expect(await server.stop()).to.include({ code: 0 });
      } finally {
        await sandbox.remove();
      }
    });
  });
}
