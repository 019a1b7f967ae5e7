/** Generates clients for `GET /openapi.json` in TypeScript and Python if the generators are installed, and tests them with a server. */
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const execute = promisify(execFile);
const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

describe('clients generated from GET /openapi.json', function () {
  this.timeout(180_000);
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    server = await TestServer.run(sandbox, [{ ...says('one'), '@id': 'route' }]);
  });
  after(async () => {
    await server.stop();
    await sandbox.remove();
  });

  /** Runs a program in the sandbox while the server is running. Returns the program's output. */
  async function run(program: string, ...args: readonly string[]): Promise<string> {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout } = await execute(program, [...args], { cwd: sandbox.folder, env });
    return stdout;
  }

  it('the generated TypeScript client contains types for the paths', async function () {
    if (!isThere('openapi-typescript')) this.skip();
    const file = await sandbox.write('openapi.json', (await server.admin('/openapi.json')).text);
    await run('openapi-typescript', file, '-o', sandbox.path('client.d.ts'));
    const types = await readFile(sandbox.path('client.d.ts'), 'utf8');
    for (const path of ['/config/', '/id/{id}', '/history/{revision}/apply', '/pki/ca/{id}'])
      expect(types).to.contain(`"${path}": {`);
  });

  it('the generated Python client reads and changes the configuration', async function () {
    if (!isThere('openapi-python-client')) this.skip();
    const file = await sandbox.write('openapi.json', (await server.admin('/openapi.json')).text);
    await run(
      'openapi-python-client',
      'generate',
      '--path',
      file,
      '--output-path',
      sandbox.path('made'),
      '--meta',
      'none',
    );
    const script = await sandbox.write(
      'use.py',
      [
        'from made import Client',
        'from made.api.configuration import delete_id_by_id, get_config_all, get_id_by_id',
        `client = Client(base_url="http://127.0.0.1:${server.adminPort}")`,
        'print(get_config_all.sync_detailed(client=client).status_code.value)',
        'print(get_id_by_id.sync_detailed("route", client=client).status_code.value)',
        'print(delete_id_by_id.sync_detailed("route", client=client).status_code.value)',
        'print(get_id_by_id.sync_detailed("route", client=client).status_code.value)',
      ].join('\n'),
    );
    expect(await run('python3', script)).to.equal('200\n200\n200\n404\n');
    expect((await server.http()).text).to.equal('');
  });
});
