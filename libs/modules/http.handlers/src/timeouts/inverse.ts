/** Timeouts as `timeouts`. */
import { durationWord, optionLines, type WriteDirective } from '@sluice/caddyfile';

/** `timeouts { read_timeout TIME; write_timeout TIME }` */
export const timeouts: WriteDirective = (handler) => ({
  block: optionLines(handler, [
    ['read_timeout', 'read_timeout', durationWord],
    ['write_timeout', 'write_timeout', durationWord],
  ]),
});
