/** `layer4.matchers.remote_ip_list`: matches client IP addresses listed in a file. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { compileRanges, guarded, messageOf, taskOf, type IpMatcher } from '@sluice/base';
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, options, string } from '@sluice/registry';

/** Interval between checks for file changes, in milliseconds. */
const interval = 1000;

export const remoteIpListModule = defineModule(layer4Matchers, {
  name: 'remote_ip_list',
  effect: 'pure',
  help: 'Matches connections whose client IP address is in a file. The file contains one IP address or CIDR range per line. Changes to the file take effect within a second.',
  config: options({
    remote_ip_file: string('File that contains the IP addresses and CIDR ranges. Text after `#` is ignored.'),
  }),
  provision(config, context) {
    const file = config.remote_ip_file ?? '';
    if (file === '')
      throw context.error('is missing: set the path of the file that contains the addresses', 'remote_ip_file');
    const { log } = context;
    let contains: IpMatcher = () => false;
    const read = (): void => {
      try {
        contains = compileRanges(rangesIn(readFileSync(file, 'utf8')));
      } catch (error) {
        log.error('failed to read IP address list; using the previous version', { file, reason: messageOf(error) });
      }
    };
    read();
    const changed = guarded(taskOf('layer4.matchers.remote_ip_list'), read);
    watchFile(file, { interval, persistent: false }, changed);
    context.onDispose(() => unwatchFile(file, changed));
    return { match: ({ facts }) => contains(facts.remoteAddress) };
  },
});

/** Returns the IP ranges listed in a file, one per line. Comments are removed. */
function rangesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
