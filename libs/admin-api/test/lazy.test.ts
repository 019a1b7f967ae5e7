/** When Express is loaded: asked in a process of its own, as that of the tests has loaded it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const script = `
import { createRequire } from 'node:module';
import { startServer } from './test/admin.ts';
const cache = createRequire(import.meta.url).cache;
const isLoaded = () => Object.keys(cache).some((file) => /[\\\\/]node_modules[\\\\/]express[\\\\/]/.test(file));
const server = await startServer({ document: { admin: { disabled: true } } });
await server.reconciler.load({});
await server.endpoint.ready();
const seen = [isLoaded()];
// Requests that come while it is loaded wait for it.
const asked = await Promise.all([server.ask('/config/'), server.ask('/config/'), server.ask('/nowhere')]);
seen.push(isLoaded(), ...asked.map(({ status }) => status));
await server.close();
process.stdout.write(JSON.stringify(seen));
`;

describe('admin-api: Express', function () {
  this.timeout(30_000);

  it('Express is loaded on the first request, not when an endpoint listens', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: '--conditions=@sluice/source' },
    });
    expect(JSON.parse(stdout)).to.deep.equal([false, true, 200, 200, 404]);
  });
});
