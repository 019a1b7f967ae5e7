/** `node with-node.mjs <command> [arguments]` runs a workspace command with the workspace's Node. npm scripts use it. */
import { run } from './run.mjs';

const [command, ...rest] = process.argv.slice(2);
if (!command) {
  console.error('usage: node tools/workspace/with-node.mjs <command> [arguments]');
  process.exit(2);
}
process.exitCode = await run(command, rest);
