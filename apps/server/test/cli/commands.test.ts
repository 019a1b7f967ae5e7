import { expect } from 'chai';
import { config, says } from '../support/server.ts';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';

/** A command with its arguments and expected exit code, and patterns for standard output and standard error. */
type Case = readonly [args: string, code: number, stdout: RegExp | null, stderr: RegExp | null];

const nothing = /^$/;
/** Returns a pattern for a log entry with the given message and a documented error code. */
const logLine = (message: string): RegExp =>
  new RegExp(`^\\{"level":"error","ts":[\\d.]+,"msg":".*${message}.*","code":"ERR_[A-Z_]+"`);

const cases: readonly Case[] = [
  ['', 0, /Usage: sluice <command>/, nothing],
  ['--help', 0, /Commands:[^]*run .*[^]*completion/, nothing],
  ['help', 0, /Usage: sluice <command>/, nothing],
  ['help run', 0, /Usage: sluice run[^]*--config <file>[^]*--resume[^]*--workers/, nothing],
  ['run --help', 0, /Usage: sluice run/, nothing],
  ['help nope', 0, nothing, /Usage: sluice/],
  ['version', 0, /^v\d+\.\d+\.\d+(?:\+[\w.]+)?\n$/, nothing],
  ['version extra', 0, /^v\d/, nothing],
  ['--version', 0, /^v\d/, nothing],
  ['-v', 0, /^v\d/, nothing],
  ['nope', 1, nothing, /unknown command 'nope'/],
  ['--nope', 1, nothing, /unknown option '--nope'/],
  ['run --confg x.json', 1, nothing, /unknown option '--confg'\n\(Did you mean --config\?\)/],
  ['run --config', 1, nothing, /option '-c, --config <file>' argument missing/],
  ['run --workers many', 1, nothing, /--workers <n>.*'many' is invalid/],
  ['run --config missing.json', 1, nothing, logLine('reading the configuration: .*missing.json')],
  ['run --config broken.json', 1, nothing, logLine('broken.json is not JSON')],
  [
    'run --config wrong.json --workers 0',
    1,
    nothing,
    /"apps.http.servers.s.routes\[0\].handle\[0\]: unknown module: http.handlers.nope/,
  ],
  ['run --config good.json --adapter nope', 1, nothing, logLine('unknown config adapter .*nope')],
  ['run --envfile missing.env --config good.json', 1, nothing, logLine('reading the environment file')],
  ['run --module ./nowhere --config good.json', 1, nothing, logLine('nowhere has no package.json')],
  ['run --module no-such-package --config good.json', 1, nothing, logLine('package no-such-package is not installed')],
  ['start --config missing.json', 1, nothing, /missing.json[^]*the server exited immediately \(exit code 1\)/],
  ['stop --address 127.0.0.1:1', 1, nothing, logLine('cannot reach the server at 127.0.0.1:1')],
  ['stop --address https://127.0.0.1:1', 1, nothing, logLine('--address https://127.0.0.1:1: HTTPS is not supported')],
  ['stop --address http://127.0.0.1:1/config/', 1, nothing, logLine('expected only host and port')],
  ['stop --address http://127.0.0.1:1/', 1, nothing, logLine('cannot reach the server at http://127.0.0.1:1')],
  ['reload --address 127.0.0.1:1', 1, nothing, logLine('reload requires a configuration')],
  ['reload --config good.json --address 127.0.0.1:1', 1, nothing, logLine('cannot reach the server')],
  ['trust --address 127.0.0.1:1', 1, nothing, logLine('cannot reach the server at 127.0.0.1:1')],
  ['untrust --cert missing.crt', 1, nothing, logLine('reading the certificate missing.crt')],
  ['adapt', 1, nothing, logLine('adapt requires a configuration')],
  ['fmt one two', 1, nothing, logLine('fmt accepts a single file; unexpected two')],
  ['fmt missing', 1, nothing, logLine('reading input file: .*missing')],
  ['adapt --config good.json5', 0, /^\{"apps":\{"http":\{"servers":\{\}\}\}\}\n$/, nothing],
  ['adapt --config good.yml', 0, /^\{"apps":\{"http":\{"servers":\{\}\}\}\}\n$/, nothing],
  ['adapt --config good.toml', 0, /^\{"apps":\{"http":\{"servers":\{\}\}\}\}\n$/, nothing],
  ['adapt --config plain.txt --adapter yaml', 0, /^\{"apps":/, nothing],
  ['adapt --config plain.txt --adapter toml', 1, nothing, logLine('toml: line 1, column ')],
  ['adapt --config good.json5 --pretty', 0, /^\{\n\t"apps": \{\n/, nothing],
  ['adapt --config wrong.json', 0, /nope/, nothing],
  ['adapt --explain --config good.json', 1, nothing, logLine('good.json has no directives to explain')],
  ['adapt --config wrong.json --validate', 1, /nope/, logLine('unknown module: http.handlers.nope')],
  ['adapt --config plain.txt --adapter json5', 0, /^\{"apps":\{\}\}\n$/, nothing],
  ['adapt --config broken.json5', 1, nothing, logLine('json5')],
  ['validate --config good.json', 0, /^Valid configuration\n$/, nothing],
  ['validate --config wrong.json', 1, nothing, logLine('unknown module: http.handlers.nope')],
  ['validate --config huge.json', 1, nothing, logLine('huge.json: a number is out of range')],
  ['validate', 1, nothing, logLine('validate requires a configuration')],
  [
    'token --name deploy --method get --method patch --id hello --expires 90d',
    0,
    /^\{\n {2}"token": "sluice_[\w-]{43}",\n {2}"entry": \{\n {4}"name": "deploy",\n {4}"hash": "sha256:[\da-f]{64}",\n {4}"expires": "[^]*"GET",\s+"PATCH"[^]*"ids": \[\s+"hello"/,
    nothing,
  ],
  ['token', 1, nothing, logLine('token requires a name')],
  ['token --name a --expires soon', 1, nothing, logLine('--expires: ')],
  ['token --name a --expires -1h', 1, nothing, logLine('--expires requires a duration')],
  ['list-modules', 0, /^(?:[a-z0-9_.]+\n)+\n {2}Standard modules: \d+\n$/, nothing],
  ['list-modules --packages --versions', 0, /\nhttp.handlers.static_response @sluice\/http.handlers v\d/, nothing],
  ['list-modules --skip-standard', 0, nothing, nothing],
  [
    'schema',
    0,
    /"\$schema": "https:\/\/json-schema.org\/draft\/2020-12\/schema"[^]*"http.handlers.static_response"/,
    nothing,
  ],
  [
    'environ',
    0,
    /^sluice\.HomeDir=[^]*\nsluice\.ConfigAutosavePath=.*config\/sluice\/autosave\.json\n[^]*\n\n[^]*HOME=/,
    nothing,
  ],
  ['environ --envfile good.env', 0, /\nFROM_FILE=yes it is\n/, nothing],
  ['environ --envfile bad.env', 1, nothing, logLine('bad.env:2: expected KEY=VALUE')],
  ['completion', 1, nothing, logLine('completion requires a shell: bash, zsh, fish, powershell')],
  ['completion tcsh', 1, nothing, logLine('completion requires a shell')],
  ...['bash', 'zsh', 'fish', 'powershell'].map((shell): Case => [`completion ${shell}`, 0, /list-modules/, nothing]),
];

describe('sluice commands', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  before(async () => {
    sandbox = new Sandbox();
    await sandbox.write('good.json', config(await freePort(), await freePort(), [says('hi')]));
    await sandbox.write('wrong.json', config(await freePort(), await freePort(), [{ handle: [{ handler: 'nope' }] }]));
    await sandbox.write('broken.json', '{"apps":');
    await sandbox.write('huge.json', '{"apps": {"http": {"grace_period": 1e999}}}');
    await sandbox.write('good.json5', '{apps: {http: {servers: {}}}, /* comment */}');
    await sandbox.write('good.yml', '# comment\napps:\n  http: { servers: {} }\n');
    await sandbox.write('good.toml', '[apps.http.servers]\n');
    await sandbox.write('broken.json5', '{apps: {http: ');
    await sandbox.write('plain.txt', '{apps: {}}');
    await sandbox.write('good.env', "# comment\n\nexport FROM_FILE='yes it is' # really\n");
    await sandbox.write('bad.env', 'A=1\nnothing here\n');
  });
  after(() => sandbox.remove());

  for (const [args, code, stdout, stderr] of cases) {
    it(`sluice ${args} exits with ${code}`, async () => {
      const ended = await sandbox.run(args.split(' ').filter((arg) => arg !== ''));
      expect(ended.code, ended.stderr).to.equal(code);
      if (stdout !== null) expect(ended.stdout).to.match(stdout);
      if (stderr !== null) expect(ended.stderr).to.match(stderr);
    });
  }

  it('sluice adapt reads a configuration from standard input', async () => {
    const ended = await sandbox.run(['adapt', '--config', '-'], { stdin: '{"apps":{}}' });
    expect(ended).to.deep.equal({ code: 0, stdout: '{"apps":{}}\n', stderr: '' });
  });

  it('sluice list-modules prints modules as JSON', async () => {
    const { stdout } = await sandbox.run(['list-modules', '--json']);
    const modules = JSON.parse(stdout) as { module_name: string }[];
    const found = modules.find((module) => module.module_name === 'http.handlers.static_response');
    expect(found).to.include({ module_type: 'standard', package: '@sluice/http.handlers' });
  });

  it('sluice validate does not listen on addresses', async () => {
    const port = await freePort();
    const { createServer } = await import('node:net');
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    await sandbox.write('taken.json', config(port, port, [says('hi')]));
    expect(await sandbox.run(['validate', '--config', 'taken.json'])).to.include({ code: 0, stderr: '' });
    await new Promise((resolve) => taken.close(resolve));
  });

  it('sluice completion prints scripts that shells accept', async function () {
    const { execFileSync } = await import('node:child_process');
    const { stdout } = await sandbox.run(['completion', 'bash']);
    const script = await sandbox.write(
      'completion.bash',
      `${stdout}\nCOMP_WORDS=(sluice run --conf); COMP_CWORD=2; _sluice; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(sluice lis); COMP_CWORD=1; _sluice; echo "\${COMPREPLY[@]}"\n`,
    );
    expect(execFileSync('bash', [script], { encoding: 'utf8' })).to.equal('--config\nlist-modules\n');
  });
});
