/** The transport to FastCGI servers as `fastcgi`. */
import { isObject } from '@sluice/base';
import { durationWord, keyedLines, noWords, optionLines, written, type WriteModule } from '@sluice/caddyfile';

/** `fastcgi { … }` */
export const writeFastcgi: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['root', 'root'],
    ['split', 'split_path'],
    ['resolve_root_symlink', 'resolve_root_symlink', noWords],
    ['capture_stderr', 'capture_stderr', noWords],
    ['dial_timeout', 'dial_timeout', durationWord],
    ['read_timeout', 'read_timeout', durationWord],
    ['write_timeout', 'write_timeout', durationWord],
  ]);
  const environment = keyedLines(options['env']).map((line) => ({ words: ['env', ...line.words] }));
  return [written([], [...block, ...environment])];
};
