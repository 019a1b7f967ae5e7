/** A log over the network as `net`. */
import { isObject } from '@sluice/base';
import { durationWord, noWords, optionLines, words, written, type WriteModule } from '@sluice/caddyfile';

/** `net ADDRESS { … }` */
export const writeNet: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['dial_timeout', 'dial_timeout', durationWord],
    ['soft_start', 'soft_start', noWords],
  ]);
  return [written(words(options['address']), block)];
};
