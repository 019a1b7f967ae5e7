/** An issuer of this server as `internal`. */
import { isObject } from '@sluice/base';
import { durationWord, noWords, optionLines, written, type WriteModule } from '@sluice/caddyfile';

/** `internal { … }` */
export const writeInternal: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['ca', 'ca'],
    ['lifetime', 'lifetime', durationWord],
    ['sign_with_root', 'sign_with_root', noWords],
  ]);
  return [written([], block)];
};
