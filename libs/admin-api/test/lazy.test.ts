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
const seen = [isLoaded()];
await server.engine.load({});
await server.endpoint.ready();
seen.push(isLoaded(), (await server.ask('/config/')).status);
await server.close();
process.stdout.write(JSON.stringify(seen));
`;

describe('admin-api: Express', function () {
  this.timeout(30_000);

  it('is loaded when an endpoint listens, and not where it is disabled', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: '--conditions=@sluice/source' },
    });
    expect(JSON.parse(stdout)).to.deep.equal([false, true, 200]);
  });
});
