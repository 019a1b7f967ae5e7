/** Query parameters as `query`. */
import { keyedLines, type WriteModule } from '@sluice/caddyfile';

/** `query KEY=VALUE…` */
export const writeQuery: WriteModule = (options) => [
  { words: keyedLines(options).map((line) => line.words.join('=')) },
];
