/** `npm start [-- arguments of sluice run]`: sets up what is needed and runs the server with the welcome configuration. */
import { build, install } from './setup.mjs';
import { run } from './run.mjs';

const given = process.argv.slice(2);
const config = given.includes('--config') ? [] : ['--config', 'apps/server/config/welcome.json'];

/** Where the welcome configuration is reached; another one says it itself, in the line `serving`. */
function sayAddresses() {
  if (config.length === 0) return 0;
  const admin = process.env.SERVER_ADMIN || 'localhost:2019';
  console.log(
    `Welcome page: http://localhost:8080   Admin API: http://${admin}   Dashboard: http://${admin}/ui/   (^C ends it)`,
  );
  return 0;
}

process.exitCode =
  (await install()) ||
  (await build('apps/server/tsconfig.lib.json')) ||
  sayAddresses() ||
  (await run('node', ['apps/server/bin/sluice.js', 'run', ...config, ...given]));
