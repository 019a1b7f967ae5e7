/** Options that encoders of entries share, as lines. */
import { isObject, type Json } from '@sluice/base';
import {
  moduleLines,
  noWords,
  optionLines,
  written,
  type Line,
  type WriteModule,
  type Writer,
} from '@sluice/caddyfile';

/** `NAME { … }`: options have the names of their fields. */
export const writeEncoder: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = Object.keys(options).flatMap((key) =>
    optionLines(options, [key === 'time_local' ? [key, key, noWords] : [key, key]]),
  );
  return [written([], block)];
};

/** `OPTION ENCODER …` for the encoder within another. */
export function wrappedLines(option: string, value: Json | undefined, writer: Writer): Promise<Line[]> {
  return moduleLines({ option, namespace: 'caddy.logging.encoders', key: 'format' }, value, writer);
}
