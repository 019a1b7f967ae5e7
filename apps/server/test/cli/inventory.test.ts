/** Tests commands that describe the command line and the installation. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { Sandbox, workspaceCommand } from '../support/sandbox.ts';
import { config, TestServer } from '../support/server.ts';
import { freePort } from '@sluice/testing';

describe('sluice commands about the installation', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('sluice build-info prints the components with versions and hashes', async () => {
    sandbox.command = workspaceCommand;
    const { code, stdout } = await sandbox.run(['build-info']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^node\tv\d+\.\d+\.\d+\nv8\t/);
    expect(stdout)
      .to.match(/\nmod\tsluice\tv\d/)
      .and.to.match(/\ndep\t@sluice\/http-app\tv\d/);
    expect(stdout).to.match(/\ndep\tcommander\tv\d+\.\d+\.\d+\tsha512-[\w+/=]+\n/);
    expect(stdout).to.not.include('oxlint');
  });

  it('sluice manpage writes one page per command', async () => {
    expect(await sandbox.run(['manpage', '--directory', 'man/pages'])).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const pages = readdirSync(sandbox.path('man/pages'));
    expect(pages).to.include.members(['sluice.8', 'sluice-run.8', 'sluice-file-server.8', 'sluice-storage-export.8']);
    const run = readFileSync(sandbox.path('man/pages/sluice-run.8'), 'utf8');
    expect(run).to.match(/^\.TH "SLUICE-RUN" "8"\n\.SH NAME\nsluice\\-run \\- run a server/);
    expect(run).to.include('\\fB\\-c, \\-\\-config <file>\\fP');
    for (const page of pages) formatPage(sandbox.path(`man/pages/${page}`));
  });

  it('sluice manpage exits with 3 if no directory is given', async () => {
    await sandbox.write('file', '');
    for (const args of [['manpage'], ['manpage', '-o', 'file/folder']]) {
      const ended = await sandbox.run(args);
      expect(ended.code).to.equal(3);
      expect(ended.stderr).to.match(/--directory DIRECTORY|file\/folder/);
    }
  });

  it('the command line suggests similar commands and options', async () => {
    const command = await sandbox.run(['vesion']);
    expect(command.code).to.equal(1);
    expect(command.stderr).to.match(/unknown command 'vesion'[^]*Did you mean version\?[^]*sluice help/);
    const option = await sandbox.run(['file-server', '--brows']);
    expect(option.code).to.equal(1);
    expect(option.stderr).to.match(/unknown option '--brows'[^]*Did you mean --browse\?/);
  });

  it('sluice file-server export-template prints the directory listing template', async () => {
    const { code, stdout } = await sandbox.run(['file-server', 'export-template']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\{\{- [^]*<!DOCTYPE html>[^]*<\/html>\n$/);
  });

  it('sluice completion prints scripts that complete subcommands and file options', async () => {
    const { stdout } = await sandbox.run(['completion', 'bash']);
    await sandbox.write('some.conf', '');
    const words = (line: string): string =>
      `COMP_WORDS=(${line}); COMP_CWORD=${line.split(' ').length - 1}; _sluice; echo "\${COMPREPLY[@]}"\n`;
    const lines = [
      'sluice storage ex',
      'sluice storage export --out',
      'sluice run -c some',
      'sluice reverse-proxy -c --int',
    ];
    const script = await sandbox.write('completion.bash', `${stdout}\n${lines.map(words).join('')}`);
    const shown = execFileSync('bash', [script], { encoding: 'utf8', cwd: sandbox.folder });
    expect(shown).to.equal('export\n--output\nsome.conf\n--internal-certs\n');
  });

  describe('sluice run --pingback', () => {
    const file = async (): Promise<string> => sandbox.write('c.json', config(await freePort(), await freePort(), []));

    it('--pingback sends the content of standard input when the server is ready', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const connected = once(server, 'connection') as Promise<[Socket]>;
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const withInput = sandbox.with({ stdin: 'secret' });
      const run = await TestServer.start(withInput, ['--config', await file(), '--pingback', address], 0, 0);
      const [socket] = await connected;
      let received = '';
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      await once(socket, 'end');
      socket.end();
      expect(received).to.equal('secret');
      expect((await run.stop()).code).to.equal(0);
      server.close();
    });

    it('--pingback makes the server exit with 1 if sending fails', async () => {
      const ended = await sandbox.run(['run', '--workers', '0', '--config', await file(), '--pingback', '127.0.0.1:1']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('--pingback 127.0.0.1:1: failed to send the confirmation');
    });

    it('--pingback is rejected if the configuration is also read from standard input', async () => {
      const ended = await sandbox.run(['run', '--config', '-', '--pingback', '127.0.0.1:1'], { stdin: '{}' });
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('pass the configuration as a file');
    });
  });
});

/** Checks a manual page with groff, if installed. Unknown requests produce warnings. */
function formatPage(path: string): void {
  try {
    execFileSync('groff', ['--version'], { stdio: 'ignore' });
  } catch {
    return;
  }
  const script = 'groff -man -Tutf8 -ww "$1" 2>&1 >/dev/null';
  expect(execFileSync('sh', ['-c', script, 'sh', path], { encoding: 'utf8' }), path).to.equal('');
}
