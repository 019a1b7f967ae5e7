/** Caddyfile syntax: `timeouts [matcher] { read_timeout TIME; write_timeout TIME }` */
import { durationWord, handler, readDuration, word, type Term } from '@sluice/caddyfile';

/** Parses a duration. As in Caddy, this option rejects the unit for days. */
const time = (help: string): Term =>
  word('<duration>', {
    help,
    convert(reader, text, option) {
      if (text.includes('d')) throw reader.error(`parsing ${option}: time: unknown unit "d" in duration "${text}"`);
      return readDuration(reader, text, option);
    },
    words: durationWord,
  });

export const timeouts = handler('timeouts', {
  block: {
    read_timeout: time("Maximum time between two reads of a request body. 0 = use the server's setting."),
    write_timeout: time("Maximum time for which a client may stop reading a response. 0 = use the server's setting."),
  },
  unknown: "unrecognized timeouts subdirective '%'",
  help: 'Sets timeouts for reading a request body and writing the response.',
  example: 'timeouts /upload {\n\tread_timeout 1h\n}\nreverse_proxy localhost:9000',
});
