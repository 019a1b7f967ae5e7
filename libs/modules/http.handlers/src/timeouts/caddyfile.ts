/** `timeouts [matcher] { read_timeout TIME; write_timeout TIME }` */
import { durationWord, handler, readDuration, word, type Term } from '@sluice/caddyfile';

/** A duration without days, which are no unit here. */
const time = (): Term =>
  word('<duration>', {
    convert(reader, text, option) {
      if (text.includes('d')) throw reader.error(`parsing ${option}: time: unknown unit "d" in duration "${text}"`);
      return readDuration(reader, text, option);
    },
    words: durationWord,
  });

export const timeouts = handler('timeouts', {
  block: { read_timeout: time(), write_timeout: time() },
  unknown: "unrecognized timeouts subdirective '%'",
  help: 'Sets timeouts for reading a request and writing its response.',
  example: 'timeouts /upload {\n\tread_timeout 1h\n}\nreverse_proxy localhost:9000',
});
