/**
 * Sends the requests of the test sites in this package to Caddy and Sluice, and reports unexpected differences.
 *   npm run sites -- [--record] [--only SITE] [--php php-fpm8.2]
 * `--record` saves Caddy's responses for the tests. With `--php`, scripts run in the given php-fpm, and nothing is recorded.
 */
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { differencesOf } from './compare.ts';
import { playSite } from './play.ts';
import { recordedOf, recordSite } from './recording.ts';
import { listenScripts, startPhp } from './scripts.ts';
import { readSites } from './site.ts';

/** Time to wait for certificates, in milliseconds. Caddy rejects TLS handshakes before the certificates are available. */
const settle = 1500;

const { values } = parseArgs({
  options: { record: { type: 'boolean' }, only: { type: 'string', multiple: true }, php: { type: 'string' } },
});
const { only, php } = values;
const command = reference();
if (command === null) console.log('sites skipped: caddy is not installed');
else {
  const scripts = php === undefined ? await listenScripts() : await startPhp(php);
  let [count, different] = [0, 0];
  for (const site of readSites().filter(({ name }) => only?.includes(name) ?? true)) {
    const theirs = await playSite(site, { command, scripts, settle });
    const mine = await playSite(site, { command: ours, options: ['--workers', '1'], scripts });
    const recorded = recordedOf(theirs, mine);
    if (values.record === true && php === undefined) recordSite(site, recorded);
    const differences = differencesOf(recorded, mine);
    for (const text of differences) console.log(`${site.name}: ${text}`);
    console.log(`${site.name}: ${mine.length} requests, ${differences.length} differ`);
    count += mine.length;
    different += differences.length;
  }
  scripts.close();
  console.log(`${count} requests: ${different} differ`);
  process.exitCode = different === 0 ? 0 : 1;
}
