/**
 * `npm start [-- arguments of sluice run]` installs the server's run-time dependencies and runs the sources with the welcome configuration.
 * Nothing is compiled, because Node strips types. By default, a single thread serves requests, because each thread loads the sources again.
 * `--workers` overrides this. The dashboard is built concurrently at low priority.
 */
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { buildIsStale } from './build-is-stale.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { workspaceRoot } from './packages.mjs';
import { run } from './run.mjs';
import { install } from './setup.mjs';

const given = process.argv.slice(2);
const config = given.includes('--config') ? [] : ['--config', 'apps/server/config/welcome.json'];
const workers = given.some((each) => /^--workers(?:=|$)/.test(each)) ? [] : ['--workers', '1'];

/** Prints the addresses of the welcome configuration. For other configurations, the server logs the addresses in its `serving` entry. */
function printAddresses() {
  if (config.length > 0) {
    const admin = process.env.SERVER_ADMIN || 'localhost:2019';
    console.log(
      `Welcome page: http://localhost:8080   Admin API: http://${admin}   Dashboard: http://${admin}/ui/   (press ^C to stop)`,
    );
  }
}

async function start() {
  const code = await install('run');
  if (code !== 0) return code;
  // `npx sluice` prefers a build. The build must not be older than the server that is started here.
  const built = join(workspaceRoot, 'apps/server/dist');
  if (buildIsStale())
    for (const name of ['main.js', 'tsconfig.lib.tsbuildinfo']) rmSync(join(built, name), { force: true });
  printAddresses();
  const page = run('node', ['tools/packaging/src/dashboard/main.ts', '--quick'], {
    priority: constants.priority.PRIORITY_LOW,
  });
  const environment = {
    ...workspaceEnvironment(),
    NODE_COMPILE_CACHE: join(workspaceRoot, 'node_modules/.cache/sluice'),
  };
  const [ended] = await Promise.all([
    run('node', ['--conditions=@sluice/source', 'apps/server/src/main.ts', 'run', ...config, ...workers, ...given], {
      environment,
    }),
    page,
  ]);
  return ended;
}

process.exitCode = await start();
