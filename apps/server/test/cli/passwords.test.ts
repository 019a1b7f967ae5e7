import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';
import { argon2Sync } from 'node:crypto';
import { expect } from 'chai';
import { Sandbox, until } from '../support/sandbox.ts';

const { verify } = createRequire(import.meta.url)('@node-rs/bcrypt') as {
  verify: (password: string, hash: string) => Promise<boolean>;
};

describe('sluice hash-password', function () {
  this.timeout(120_000);
  const sandbox = new Sandbox();
  after(() => sandbox.remove());
  const cheap = ['hash-password', '--bcrypt-cost', '4'];

  /** Standard inputs, each with the password that Caddy reads from it. */
  const inputs: readonly [stdin: string, password: string][] = [
    ['hiccup', 'hiccup'],
    ['hiccup\n', 'hiccup'],
    ['hiccup\r\n', 'hiccup'],
    ['hiccup\nother\n', 'hiccup'],
    [' a b \n', ' a b '],
    ['é\n', 'é'],
  ];
  for (const [stdin, password] of inputs)
    it(`sluice hash-password hashes the first line of standard input: ${JSON.stringify(stdin)}`, async () => {
      const { code, stdout, stderr } = await sandbox.run(cheap, { stdin });
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^\$2a\$04\$[./A-Za-z\d]{53}\n$/);
      expect(await verify(password, stdout.trim())).to.equal(true);
    });

  it('sluice hash-password creates argon2id hashes with the requested costs', async () => {
    const costs = [
      '--argon2id-memory',
      '64',
      '--argon2id-time',
      '2',
      '--argon2id-threads',
      '2',
      '--argon2id-keylen',
      '16',
    ];
    const { code, stdout } = await sandbox.run(['hash-password', '-p', 'hiccup', '-a', 'argon2id', ...costs]);
    expect(code).to.equal(0);
    const [, salt = '', tag] =
      /^\$argon2id\$v=19\$m=64,t=2,p=2\$([A-Za-z\d+/]{22})\$([A-Za-z\d+/]{22})\n$/.exec(stdout) ?? [];
    const nonce = Buffer.from(salt, 'base64');
    const parameters = { message: 'hiccup', nonce, parallelism: 2, tagLength: 16, memory: 64, passes: 2 };
    expect(argon2Sync('argon2id', parameters).toString('base64').replace(/=+$/, '')).to.equal(tag);
  });

  const refused: readonly [args: readonly string[], message: RegExp][] = [
    [['-p', ''], /requires a password/],
    [['-p', 'x', '-a', 'md5'], /unknown algorithm md5; use bcrypt or argon2id/],
    [['-p', 'x'.repeat(73), '--bcrypt-cost', '4'], /at most 72 bytes/],
    [['-p', 'x', '-a', 'argon2id', '--argon2id-time', '0'], /--argon2id-time is 0, but must be at least 1/],
    [['-p', 'x', '-a', 'argon2id', '--argon2id-memory', '4'], /--argon2id-memory is 4, but must be at least 8/],
    [['-p', 'x', '-a', 'argon2id', '--argon2id-threads', '0'], /--argon2id-threads is 0/],
    [['-p', 'x', '-a', 'argon2id', '--argon2id-keylen', '0'], /--argon2id-keylen is 0/],
    [['-p', 'x', '--bcrypt-cost', 'much'], /integer/],
  ];
  for (const [args, message] of refused)
    it(`sluice hash-password ${args.join(' ').slice(0, 60)} exits with 1`, async () => {
      const ended = await sandbox.run(['hash-password', ...args]);
      expect(ended).to.include({ code: 1, stdout: '' });
      expect(ended.stderr).to.match(message);
    });

  it('sluice hash-password exits with 1 if standard input is empty', async () => {
    expect(await sandbox.run(cheap, { stdin: '\n' })).to.include({ code: 1, stdout: '' });
  });

  /** Simulates typing on a terminal with `script` of util-linux. Returns all visible output, or `null` if `script` is not installed. */
  async function typeOnTerminal(args: readonly string[], lines: readonly string[]): Promise<string | null> {
    const quoted = [process.execPath, sandbox.command, ...args].map((text) => `'${text}'`).join(' ');
    const child = spawn('script', ['-qec', `exec ${quoted}`, '/dev/null'], {
      env: { PATH: process.env.PATH, HOME: sandbox.folder, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let [shown, isMissing, hasEnded] = ['', false, false];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    child.once('error', () => (isMissing = true)).once('close', () => (hasEnded = true));
    for (const [index, line] of lines.entries()) {
      await until(() => isMissing || shown.split('password: ').length > index + 1, 'a question', 60_000);
      if (!isMissing) child.stdin.write(line);
    }
    await until(() => isMissing || hasEnded, 'the end', 60_000);
    return isMissing ? null : shown;
  }

  it('sluice hash-password prompts twice on a terminal, without echo', async function () {
    const shown = await typeOnTerminal(cheap, ['hiccux\u007Fp\r', 'hiccup\r']);
    if (shown === null) return this.skip();
    expect(shown.replaceAll('\r', '')).to.match(/^Enter password: \nConfirm password: \n\$2a\$04\$.{53}\n$/);
    expect(await verify('hiccup', shown.trim().split('\n').at(-1) as string)).to.equal(true);
    return undefined;
  });

  it('sluice hash-password prints no hash if the passwords differ or ^C is pressed', async function () {
    const other = await typeOnTerminal(cheap, ['hiccup\r', 'hiccap\r']);
    if (other === null) return this.skip();
    expect(other).to.include('do not match').and.not.include('$2a$').and.not.include('hicc');
    expect(await typeOnTerminal(cheap, ['hic\u0003']))
      .to.include('interrupted')
      .and.not.include('$2a$');
    return undefined;
  });
});
