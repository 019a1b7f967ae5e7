import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { addStandardCommands } from '../../src/cli/commands.ts';
import { Sandbox } from '../support/sandbox.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** Runs README.md unchanged except for its ports, which may be in use. */
describe('README.md', () => {
  it('README.md refers to existing scripts and commands', () => {
    const text = readFileSync(`${workspace}README.md`, 'utf8');
    const { scripts } = JSON.parse(readFileSync(`${workspace}package.json`, 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/(?<=^|`)npm (?:run )?(\w+)(?= |`|$)/gm)].map(([, name = '']) => name);
    expect(named).to.include.members(['start', 'test', 'site']);
    expect(scripts).to.include.keys(named.filter((name) => name !== 'packages'));
    const commands: string[] = [];
    addStandardCommands({ add: ({ name }) => void commands.push(name) });
    const used = [...text.matchAll(/(?:npx sluice|`sluice) ([\w-]+)/g)].map(([, name = '']) => name);
    expect(used.length).to.be.greaterThan(5);
    expect(commands).to.include.members(used);
  });

  it('the example in README.md works', async function () {
    this.timeout(60_000);
    const text = readFileSync(`${workspace}README.md`, 'utf8');
    const block = [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, code = '']) => code)
      .find((code) => code.includes('config.json'));
    const shown = [...(block ?? '').matchAll(/^# (.*)$/gm)].map(([, line]) => line);
    expect(shown).to.have.length.greaterThan(3);
    const sandbox = new Sandbox();
    symlinkSync(`${workspace}node_modules`, sandbox.path('node_modules'));
    await sandbox.write('package.json', { name: 'example', private: true });
    const [site, admin] = [await freePort(), await freePort()];
    const ports = (line: string): string =>
      line.replaceAll(':8080', `:${site}`).replaceAll('localhost:2019', `localhost:${admin}`);
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      HOME: sandbox.folder,
      XDG_CONFIG_HOME: sandbox.path('config'),
      XDG_DATA_HOME: sandbox.path('data'),
      SERVER_ADMIN: `localhost:${admin}`,
      npm_config_offline: 'true',
    };
    try {
      const script = ports(block ?? '').replaceAll(/^curl .*$/gm, '$& && echo');
      const { stdout } = await run('bash', ['-ec', `exec 2> errors\n${script}`], { cwd: sandbox.folder, env });
      const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('Successfully started'));
      expect(lines).to.deep.equal(shown.map((line) => ports(line ?? '')));
      expect(readFileSync(sandbox.path('errors'), 'utf8')).to.not.match(/warning|error/i);
      expect(JSON.parse(readFileSync(sandbox.path('schema.json'), 'utf8'))).to.have.nested.property(
        'properties.$schema',
      );
    } finally {
      await run(process.execPath, [`${workspace}apps/server/bin/sluice.js`, 'stop'], { env }).catch(() => {});
      await sandbox.remove();
    }
  });
});
