import { expect } from 'chai';
import { Sandbox, until } from '../../support/sandbox.ts';

const site = (text: string): string => `http://example.com {
	import part
	respond "${text}"
}
`;

describe('sluice test --watch', function () {
  this.timeout(240_000);
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  const cases = (body: string): object => ({ cases: [{ request: 'http://example.com/', expect: { body } }] });

  it('sluice test --watch reruns when cases, configuration or imports change, even after a file was unreadable', async () => {
    await sandbox.write('Caddyfile', site('one'));
    await sandbox.write('part', 'header X-Part 1\n');
    const file = await sandbox.write('a.sluice-test.json5', cases('one'));
    const { child, ended, stdout } = sandbox.start(['test', file, '--watch']);
    let seen = 0;
    /** Returns the output up to the point where the command waits for changes again. */
    const next = async (): Promise<string> => {
      const mark = 'waiting for changes\n';
      await until(() => stdout().includes(mark, seen), 'the end of a run');
      const end = stdout().indexOf(mark, seen) + mark.length;
      const printed = stdout().slice(seen, end);
      seen = end;
      return printed;
    };
    expect(await next()).to.include('1 passed');
    await sandbox.write('a.sluice-test.json5', cases('two'));
    expect(await next()).to.include('1 failed');
    await sandbox.write('Caddyfile', site('two'));
    expect(await next()).to.include('1 passed');
    await sandbox.write('part', 'header X-Part 2\nrespond "part"\n');
    expect(await next()).to.include('1 failed');
    await sandbox.write('part', 'no_such_directive\n');
    expect(await next()).to.include('part:1');
    await sandbox.write('part', 'header X-Part 1\n');
    expect(await next()).to.include('1 passed');
    child.kill('SIGTERM');
    await ended;
    expect(stdout().slice(seen)).to.equal('');
  });
});
