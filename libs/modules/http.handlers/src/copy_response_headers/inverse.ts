/** Copied fields of responses as `copy_response_headers`. */
import { optionLines, written, type WriteDirective } from '@sluice/caddyfile';

/** `copy_response_headers { include FIELD…; exclude FIELD… }` */
export const copyResponseHeaders: WriteDirective = (handler) =>
  written(
    [],
    optionLines(handler, [
      ['include', 'include'],
      ['exclude', 'exclude'],
    ]),
  );
