/** The page of metrics as `metrics`. */
import { noWords, optionLines, written, type WriteDirective } from '@sluice/caddyfile';

/** `metrics { disable_openmetrics }` */
export const metrics: WriteDirective = (handler) =>
  written([], optionLines(handler, [['disable_openmetrics', 'disable_openmetrics', noWords]]));
