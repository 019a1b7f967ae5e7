/** `node with-node.mjs <command> [arguments]` runs a command of the workspace on the workspace's Node. Used by npm scripts. */
import { run } from './run.mjs';

const [command, ...rest] = process.argv.slice(2);
if (!command) {
  console.error('usage: node tools/workspace/with-node.mjs <command> [arguments]');
  process.exit(2);
}
process.exitCode = await run(command, rest);
