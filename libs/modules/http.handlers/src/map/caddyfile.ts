/** `map [matcher] SOURCE DESTINATION… { INPUT OUTPUT…; ~REGEXP OUTPUT…; default OUTPUT… }` */
import { isArray, isObject, type Json } from '@sluice/base';
import {
  compact,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  note,
  quoteWord,
  scalarValue,
  scalarWord,
  words,
  type WriteDirective,
} from '@sluice/caddyfile';

/** Makes the handler `map`. */
const readMap = handlerDirective((reader) => {
  const source = reader.argument();
  const destinations = reader.remaining();
  if (destinations.length === 0) throw reader.error('missing destination argument(s)');
  const mappings: Json[] = [];
  const defaults: string[] = [];
  for (const input of reader.block()) {
    if (input === 'default') {
      if (defaults.length > 0) throw reader.error('defaults already defined');
      defaults.push(...reader.remaining());
      while (defaults.length < destinations.length) defaults.push('');
      continue;
    }
    const outputs = reader.remainingTokens().map((token) => (token.text === '-' ? null : scalarValue(token)));
    if (outputs.length > destinations.length) throw reader.error('too many outputs');
    while (outputs.length < destinations.length) outputs.push(null);
    const key = input.startsWith('~') ? { input_regexp: input.slice(1) } : { input };
    mappings.push({ ...key, outputs });
  }
  return moduleObject('handler', 'map', compact({ source, destinations, mappings, defaults }));
});

/** `map SOURCE DESTINATION… { INPUT OUTPUT… }` */
const writeMap: WriteDirective = ({ source, destinations, mappings, defaults }) => {
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

export const map = handler(
  'map',
  {
    shown: ['<source> <destination>…'],
    help: 'Sets placeholders based on the value of another one. Each line is an input, or `~` and a regular expression, and one output per destination. `-` selects the default.',
    block: { default: note('<output>…', 'Values if no line matches.') },
    example:
      'map {path} {backend} {\n\t/api/* localhost:9000\n\t~^/v(\\d+)/ localhost:90{re.1}\n\tdefault localhost:9999\n}\nreverse_proxy {backend}',
  },
  { directive: readMap, write: writeMap },
);
