/** One field of entries as `single_field`. */
import { isObject } from '@sluice/base';
import { words, written, type WriteModule } from '@sluice/caddyfile';
import { wrappedLines } from '../common/write-encoder.ts';

/** `single_field FIELD { fallback ENCODER … }` */
export const writeSingleField: WriteModule = async (options, writer) =>
  isObject(options)
    ? [written(words(options['field']), await wrappedLines('fallback', options['fallback'], writer))]
    : null;
