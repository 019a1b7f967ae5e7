/** Tests commands of third-party packages. */
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

const manifest = (name: string, commands: object) => ({
  name,
  version: '1.0.0',
  type: 'module',
  sluice: { entry: './index.js', commands },
});

/** A package with a command. Running its code prints to standard error, which the test can detect. */
const greeting = `
process.stderr.write('loaded\\n');
const run = async ({ loud, to, argument }) => {
  process.stdout.write(JSON.stringify({ loud, to, argument }) + '\\n');
  return 7;
};
export function register(registry) {
  registry.hooks.commands.tap('greeting', (commands) =>
    commands.add({
      name: 'greet',
      summary: 'greet on the terminal',
      options: [
        { flags: '-l, --loud', description: 'shout' },
        { flags: '--to <name>', description: 'whom (repeatable)', parseArg: (text, earlier = []) => [...earlier, text] },
      ],
      argument: { name: 'word', help: 'the word', values: [] },
      load: async () => run,
    }),
  );
}`;

describe('third-party commands', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = new Sandbox();
    await sandbox.write('greeting/package.json', manifest('greeting', { greet: { help: 'greet on the terminal' } }));
    await sandbox.write('greeting/index.js', greeting);
  });
  afterEach(() => sandbox.remove());

  /** Installs a package in the configuration directory. */
  const install = async (name: string, content: object, code: string): Promise<void> => {
    await sandbox.write(`config/sluice/modules/node_modules/${name}/package.json`, content);
    await sandbox.write(`config/sluice/modules/node_modules/${name}/index.js`, code);
  };

  it('a third-party command receives its options and determines the exit code', async () => {
    const args = ['--module', './greeting', 'greet', 'hey', '-l', '--to', 'a', '--to', 'b'];
    expect(await sandbox.run(args)).to.deep.equal({
      code: 7,
      stdout: '{"loud":true,"to":["a","b"],"argument":"hey"}\n',
      stderr: 'loaded\n',
    });
  });

  it('third-party commands run without --module if their package is installed in the configuration directory', async () => {
    await install('greeting', manifest('greeting', { greet: { help: '' } }), greeting);
    expect(await sandbox.run(['greet'])).to.include({ code: 7, stdout: '{}\n' });
    expect((await sandbox.run(['help', 'greet'])).stdout).to.match(/--loud\s+shout/);
  });

  it('help and completions list third-party commands without running package code', async () => {
    for (const args of [['help'], [], ['completion', 'bash']]) {
      const { stdout, stderr } = await sandbox.run(['--module', './greeting', ...args]);
      expect(stdout, args.join()).to.contain('greet');
      expect(stderr).to.equal('');
    }
  });

  it('a broken package does not affect built-in commands or the help', async () => {
    await install('broken', { name: 'broken', sluice: [] }, '');
    expect(await sandbox.run(['version'])).to.include({ code: 0, stderr: '' });
    const help = await sandbox.run(['help']);
    expect(help).to.include({ code: 0 });
    expect(help.stdout).to.contain('list-modules');
    expect(help.stderr).to.contain('"sluice" must be an object');
  });

  it('commands of two packages cannot have the same name', async () => {
    await install('second', manifest('second', { greet: { help: '' } }), greeting);
    const ended = await sandbox.run(['--module', './greeting', 'greet']);
    expect(ended).to.include({ code: 1 });
    expect(ended.stderr).to.contain('command greet is contributed by two packages');
  });

  it('a package is rejected if its code does not define a command listed in its manifest', async () => {
    await sandbox.write('greeting/index.js', 'export function register() {}');
    const ended = await sandbox.run(['--module', './greeting', 'greet']);
    expect(ended).to.include({ code: 1 });
    expect(ended.stderr).to.contain('module package greeting: does not contribute the command greet');
  });

  it('sluice manifest writes commands to the manifest', async () => {
    await sandbox.write('greeting/package.json', { ...manifest('greeting', {}), sluice: { entry: './index.js' } });
    expect(await sandbox.run(['manifest', 'greeting'])).to.include({ code: 0 });
    expect(await sandbox.run(['manifest', '--check', 'greeting'])).to.include({ code: 0 });
    expect((await sandbox.run(['--module', './greeting', 'help'])).stdout).to.contain('greet on the terminal');
  });
});
