/** `npm start [-- arguments of sluice run]`: sets up what is needed and runs the server with the welcome configuration. */
import { build, install } from './setup.mjs';
import { run } from './run.mjs';

const given = process.argv.slice(2);
const config = given.includes('--config') ? [] : ['--config', 'apps/server/config/welcome.json'];

process.exitCode =
  (await install()) ||
  (await build('apps/server/tsconfig.lib.json')) ||
  (await run('node', ['apps/server/bin/sluice.js', 'run', ...config, ...given]));
