/**
 * Runs schemathesis on `GET /openapi.json`, including operations that change the configuration. Responses must match the API description,
 * and invalid requests must be rejected.
 *
 * `SLUICE_TRIAL_EXAMPLES` is the number of examples per operation (default: 10).
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { says, TestServer } from '../../support/server.ts';
import { Sandbox } from '../../support/sandbox.ts';

const program = process.env['SCHEMATHESIS'] ?? 'schemathesis';
const examples = process.env['SLUICE_TRIAL_EXAMPLES'] ?? '10';
const settings = fileURLToPath(new URL('../../docs/schemathesis.toml', import.meta.url));

/** Operations that stop the server, stream endlessly, or run for a duration chosen by the client. */
const excluded = '^/(stop|upgrade|events|stats/stream|logs/stream|debug/pprof/profile)$';

interface Result {
  /** Exit code, or `null` if the program is not installed. */
  readonly code: number | null;
  readonly text: string;
}

function run(args: readonly string[], folder = tmpdir()): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (bytes) => (text += String(bytes)));
    child.stderr.on('data', (bytes) => (text += String(bytes)));
    child.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve({ code: null, text }) : reject(error),
    );
    child.on('close', (code) => resolve({ code, text }));
  });
}

describe('schemathesis with the OpenAPI description', function () {
  this.timeout(600_000);
  let sandbox: Sandbox;
  let server: TestServer;

  before(async function () {
    if ((await run(['--version'])).code === null) {
      process.stdout.write('      skipped: schemathesis is not installed, and SCHEMATHESIS names no program\n');
      return this.skip();
    }
    sandbox = new Sandbox();
    // Generated changes may remove `admin` from the configuration, so an environment variable sets the admin address.
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', {
      apps: { http: { servers: { s: { listen: [`127.0.0.1:${http}`], routes: [says('hello')] } } } },
    });
    const starter = sandbox.with({ env: { SERVER_ADMIN: `127.0.0.1:${admin}` } });
    server = await TestServer.start(starter, ['--config', file], admin, http);
  });

  after(async () => {
    await server?.stop();
    await sandbox?.remove();
  });

  it('every admin API operation matches its description', async () => {
    const description = `http://127.0.0.1:${server.adminPort}/openapi.json`;
    const args = [
      ...['--config-file', settings, 'run', description, '--exclude-path-regex', excluded],
      ...['-n', examples, '--request-timeout', '10', '--generation-deterministic', '--no-color'],
    ];
    // schemathesis stores its findings in its working directory.
    const { code, text } = await run(args, sandbox.folder);
    expect(code, text.slice(text.indexOf('= FAILURES ='), text.indexOf('= WARNINGS ='))).to.equal(0);
    expect(text).to.match(/\d+ generated, \d+ passed/);
  });

  it('the server is still running after the schemathesis test', async () => {
    expect((await server.admin('/config/')).status).to.equal(200);
  });
});
