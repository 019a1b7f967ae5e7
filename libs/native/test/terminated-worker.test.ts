import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nativeProblem } from '@sluice/native';

const script = fileURLToPath(new URL('terminate-worker.ts', import.meta.url));
const run = promisify(execFile);

describe('termination of a worker that uses the socket bindings', function () {
  before(function () {
    if (nativeProblem() !== null || process.platform !== 'linux') this.skip();
  });

  for (const state of ['blocked', 'idle', 'failed'])
    it(`the process keeps running if the worker is ${state} while its sockets are ready`, async () => {
      // Rejects if a signal terminates the process.
      await run(process.execPath, ['--conditions=@sluice/source', script, state], { timeout: 20_000 });
    });
});
