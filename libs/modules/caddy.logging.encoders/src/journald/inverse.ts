/** Levels of journald as `journald`. */
import { isObject } from '@sluice/base';
import { written, type WriteModule } from '@sluice/caddyfile';
import { wrappedLines } from '../common/write-encoder.ts';

/** `journald { wrap ENCODER … }` */
export const writeJournald: WriteModule = async (options, writer) =>
  isObject(options) ? [written([], await wrappedLines('wrap', options['wrap'], writer))] : null;
