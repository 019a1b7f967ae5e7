/** A map as `map`. */
import { isArray, isObject, type Json } from '@sluice/base';
import { quoteWord, scalarWord, words, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `map SOURCE DESTINATION… { INPUT OUTPUT… }` */
export const map: WriteDirective = ({ source, destinations, mappings, defaults }) => {
  const block = (isArray(mappings) ? mappings : []).map(mappingLine);
  if (defaults !== undefined) block.push({ words: ['default', ...words(defaults)] });
  return { words: [...words(source), ...words(destinations)], block };
};

function mappingLine(mapping: Json): Line {
  const { input, input_regexp: regexp, outputs } = isObject(mapping) ? mapping : {};
  const shown = (isArray(outputs) ? outputs : []).map((each) => (each === null ? '-' : scalarWord(each)));
  const key = regexp === undefined ? words(input) : words(regexp).map((each) => `~${each}`);
  return { words: [...key.map(quoteWord), ...shown], raw: true };
}
