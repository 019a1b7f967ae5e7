/**
 * Sends the path test matrix and the FastCGI requests to Caddy and Sluice, and reports unexpected differences.
 *   npm run paths -- [--record] [--only ROUTE]
 * `--record` saves Caddy's observations for the tests.
 */
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { differencesOf } from './compare.ts';
import { playEnvironments } from './environments.ts';
import { playPaths } from './play.ts';
import { record } from './recording.ts';

const { values } = parseArgs({ options: { record: { type: 'boolean' }, only: { type: 'string', default: '' } } });
const command = reference();
if (command === null) console.log('paths skipped: caddy is not installed');
else {
  const theirs = { matrix: await playPaths(command), environments: await playEnvironments(command) };
  if (values.record === true) record(theirs.matrix, theirs.environments);
  const mine = { matrix: await playPaths(ours), environments: await playEnvironments(ours) };
  const different = differencesOf(theirs, mine).filter((line) => line.startsWith(values.only));
  for (const line of different) console.log(line);
  const count = Object.values(theirs.matrix).reduce((sum, responses) => sum + Object.keys(responses).length, 0);
  console.log(
    `${count} responses and ${Object.keys(theirs.environments).length} environments: ${different.length} differ`,
  );
  process.exitCode = different.length === 0 ? 0 : 1;
}
