import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Sandbox } from '../../support/sandbox.ts';

describe('sluice storage', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = new Sandbox();
    for (const name of ['old', 'new'])
      await sandbox.write(`${name}.json`, { storage: { module: 'file_system', root: sandbox.path(name) } });
    await sandbox.write('old/certificates/a/a.crt', 'certificate');
    await sandbox.write('old/top', 'value');
  });
  afterEach(() => sandbox.remove());
  const list = (file: string): string[] =>
    execFileSync('tar', ['tf', sandbox.path(file)], { encoding: 'utf8' })
      .trim()
      .split('\n');

  it('sluice storage export and import copy the contents of one storage to another', async () => {
    const written = await sandbox.run(['storage', 'export', '-c', 'old.json', '--output', 'kept.tar']);
    expect(written).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect(list('kept.tar')).to.deep.equal(['certificates/a/a.crt', 'top']);
    expect((await stat(sandbox.path('kept.tar'))).mode & 0o777).to.equal(0o600);
    const imported = await sandbox.run(['storage', 'import', '-c', 'new.json', '--input', 'kept.tar']);
    expect(imported).to.include({ code: 0, stdout: 'Successfully imported storage: 2 files\n' });
    expect(await readFile(sandbox.path('new/certificates/a/a.crt'), 'utf8')).to.equal('certificate');
  });

  it('sluice storage export reads Caddyfiles, and writes to standard output', async () => {
    await sandbox.write('Caddyfile', `{\n\tstorage file_system ${sandbox.path('old')}\n}\n`);
    const { code, stdout } = await sandbox.run(['storage', 'export', '-c', 'Caddyfile', '-o', '-']);
    expect(code).to.equal(0);
    expect(stdout).to.include('certificates/a/a.crt').and.to.include('ustar');
  });

  it('sluice storage import reads a tar archive from standard input', async () => {
    const archive = execFileSync('tar', ['cf', '-', '-C', sandbox.path('old'), '.'], { encoding: 'latin1' });
    const imported = await sandbox.run(['storage', 'import', '-c', 'new.json', '-i', '-'], { stdin: archive });
    expect(imported.code, imported.stderr).to.equal(0);
    expect(await readFile(sandbox.path('new/top'), 'utf8')).to.equal('value');
  });

  it('storage archives support names of any length in all tar formats', async () => {
    const long = `${'deep/'.repeat(30)}é ${'n'.repeat(60)}.key`;
    await sandbox.write(`old/${long}`, 'long');
    await sandbox.run(['storage', 'export', '-c', 'old.json', '-o', 'kept.tar']);
    await sandbox.write('unpacked/empty', '');
    execFileSync('tar', ['xf', sandbox.path('kept.tar'), '-C', sandbox.path('unpacked')]);
    expect(await readFile(sandbox.path(`unpacked/${long}`), 'utf8')).to.equal('long');
    for (const format of ['gnu', 'pax']) {
      const folder = ['-C', sandbox.path('old'), '.'];
      execFileSync('tar', ['--format', format, '-cf', sandbox.path('theirs.tar'), ...folder]);
      const imported = await sandbox.run(['storage', 'import', '-c', 'new.json', '-i', 'theirs.tar']);
      expect(imported, format).to.include({ code: 0, stdout: 'Successfully imported storage: 3 files\n' });
      expect(await readFile(sandbox.path(`new/${long}`), 'utf8'), format).to.equal('long');
      await rm(sandbox.path('new'), { recursive: true });
    }
  });

  it('sluice storage import changes nothing if the archive is damaged or contains invalid names', async () => {
    execFileSync('tar', ['cPf', sandbox.path('out.tar'), '../out.tar.txt'], { cwd: await folderWith('x') });
    await symlink('top', sandbox.path('old/link'));
    execFileSync('tar', ['cf', sandbox.path('link.tar'), '-C', sandbox.path('old'), 'link']);
    const whole = execFileSync('tar', ['cf', '-', '-C', sandbox.path('old'), 'top']);
    const flipped = Buffer.from(whole);
    flipped[0] = 0x62;
    await writeFile(sandbox.path('truncated.tar'), whole.subarray(0, 700));
    await writeFile(sandbox.path('flipped.tar'), flipped);
    const damaged: Readonly<Record<string, RegExp>> = {
      'old.json': /truncated/,
      'truncated.tar': /truncated/,
      'flipped.tar': /checksum/,
      'out.tar': /is not a valid storage key/,
      'link.tar': /is a symlink, not a regular file/,
    };
    for (const [input, reason] of Object.entries(damaged)) {
      const imported = await sandbox.run(['storage', 'import', '-c', 'new.json', '-i', input]);
      expect(imported.code, input).to.equal(3);
      expect(imported.stderr)
        .to.match(/reading the archive /)
        .and.to.match(reason);
      expect(await stat(sandbox.path('new')).catch(() => null), input).to.equal(null);
    }
  });

  async function folderWith(name: string): Promise<string> {
    await sandbox.write('out.tar.txt', 'outside');
    await sandbox.write(`${name}/file`, '');
    return sandbox.path(name);
  }

  const refused: readonly [args: string, code: number, message: string][] = [
    ['export', 1, 'requires a configuration'],
    ['export -c old.json', 1, '--output FILE'],
    ['export -c missing.json -o out.tar', 1, 'missing.json'],
    ['export -c old.json -o no/such/folder/out.tar', 1, 'no/such/folder'],
    ['import -c new.json', 1, '--input FILE'],
    ['import -c new.json -i missing.tar', 1, 'missing.tar'],
  ];
  for (const [args, code, message] of refused)
    it(`sluice storage ${args} exits with ${code}`, async () => {
      const ended = await sandbox.run(['storage', ...args.split(' ')]);
      expect(ended.code).to.equal(code);
      expect(ended.stderr).to.include(message);
    });

  it('sluice storage shows help if the subcommand is missing', async () => {
    for (const args of [['storage'], ['storage', 'nope']]) {
      const { code, stdout } = await sandbox.run(args);
      expect(code).to.equal(0);
      expect(stdout).to.match(/Usage: sluice storage[^]*export[^]*import/);
    }
  });
});
