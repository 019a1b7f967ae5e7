/** Limits of request bodies as `request_body`. */
import { optionLines, type WriteDirective } from '@sluice/caddyfile';

/** `request_body { max_size SIZE; set TEXT }` */
export const requestBody: WriteDirective = (handler) => ({
  block: optionLines(handler, [
    ['max_size', 'max_size'],
    ['set', 'set'],
  ]),
});
