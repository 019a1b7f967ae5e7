/** `encode [matcher] [FORMAT…] { FORMAT …; minimum_length BYTES; match … }` */
import {
  dictionary,
  compact,
  handlerDirective,
  moduleObject,
  readInteger,
  readResponseMatcher,
  type ResponseMatchers,
} from '@sluice/caddyfile';

/** Formats where none are named, the better first. */
const usual = ['zstd', 'gzip'];

/** Makes the handler `encode`. */
export const encode = handlerDirective((reader) => {
  const encodings = dictionary();
  const prefer: string[] = [];
  let minimum = 0;
  const matchers: ResponseMatchers = new Map();
  const read = (name: string): void => {
    encodings[name] = reader.module(`http.encoders.${name}`);
    prefer.push(name);
  };
  while (reader.nextArgument()) {
    encodings[reader.value] = reader.bareModule(`http.encoders.${reader.value}`);
    prefer.push(reader.value);
  }
  for (const option of reader.block()) {
    if (option === 'minimum_length') minimum = readInteger(reader, reader.argument(), option);
    else if (option === 'match') readResponseMatcher(reader, matchers);
    else read(option);
  }
  if (prefer.length === 0) {
    for (const name of usual) encodings[name] = {};
    prefer.push(...usual);
  }
  const match = matchers.get('match');
  const fields = compact({ encodings, prefer, minimum_length: minimum });
  return moduleObject('handler', 'encode', match === undefined ? fields : { ...fields, match });
});
