/** Compression as `encode`. */
import { isObject, type Json } from '@sluice/base';
import { responseMatcherLine, words, written, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `encode FORMAT… { … }` */
export const encode: WriteDirective = async ({ encodings, prefer, minimum_length: minimum, match }, writer) => {
  const known = isObject(encodings) ? encodings : {};
  const inline: string[] = [];
  const block: Line[] = [];
  for (const name of words(prefer)) {
    if (block.length === 0 && isBare(known[name])) inline.push(name);
    else block.push(...((await writer.module(`http.encoders.${name}`, known[name] ?? {})) ?? []));
  }
  if (minimum !== undefined) block.push({ words: ['minimum_length', ...words(minimum)] });
  if (match !== undefined) block.push(responseMatcherLine('match', match));
  return written(inline, block);
};

function isBare(options: Json | undefined): boolean {
  return isObject(options) && Object.keys(options).length === 0;
}
