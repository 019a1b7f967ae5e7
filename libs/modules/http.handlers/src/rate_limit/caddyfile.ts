/** The directive `rate_limit [matcher] { zone NAME { … }; distributed { … }; … }`. */
import { isObject, type JsonObject } from '@sluice/base';
import {
  block,
  blockLines,
  dictionary,
  Draft,
  duration,
  flag,
  handler,
  integer,
  matcherSets,
  module,
  none,
  readBlock,
  scalarValue,
  text,
  word,
  type Line,
  type Term,
} from '@sluice/caddyfile';

const once = '% is already specified';

const zoneBlock = {
  unknown: "unrecognized zone subdirective '%'",
  block: {
    match: matcherSets(),
    key: text('<key>', { once }),
    window: duration({ once }),
    events: integer('<number>', { field: 'max_events', once }),
    ipv4_prefix: integer('<bits>', { once }),
    ipv6_prefix: integer('<bits>', { once }),
    memory: integer('<bytes>', { once }),
  },
};

const zone: Term = {
  shown: '<name>',
  field: 'rate_limits',
  help: 'Defines a rate limit zone. Zones with the same name share their counts.',
  block: zoneBlock.block,
  read(reader, draft) {
    const name = reader.argument();
    const zones = (draft.get(['rate_limits']) ?? dictionary()) as Record<string, JsonObject>;
    if (Object.hasOwn(zones, name)) throw reader.error(`duplicate zone name: ${name}`);
    reader.noArguments();
    const inner = new Draft();
    readBlock(reader, inner, zoneBlock);
    if (inner.fields['window'] === undefined || inner.fields['max_events'] === undefined)
      throw reader.error(
        `zone '${name}' requires a window and a number of events above zero, such as "window 1m" and "events 100"`,
      );
    zones[name] = inner.fields;
    draft.put(['rate_limits'], zones);
  },
  async write(option, { rate_limits: zones }, writer) {
    const lines: Line[] = [];
    for (const [name, each] of Object.entries(isObject(zones) ? zones : {})) {
      const inner = isObject(each) ? await blockLines(zoneBlock, each, writer) : null;
      if (inner === null) return null;
      lines.push({ words: [option, name], block: inner });
    }
    return lines;
  },
};

export const rateLimit = handler('rate_limit', {
  line: none,
  block: {
    zone,
    distributed: block(
      { read_interval: duration({ once }), write_interval: duration({ once }), purge_age: duration({ once }) },
      { unknown: "unrecognized distributed subdirective '%'" },
    ),
    storage: module('caddy.storage', 'module'),
    jitter: word('<fraction>', {
      once,
      convert(reader, value, option) {
        const fraction = scalarValue({ text: value, quote: '' });
        if (typeof fraction === 'number') return fraction;
        throw reader.error(`bad ${option} value '${value}': it is not a number`);
      },
    }),
    sweep_interval: duration({ once }),
    when_full: text('allow|reject', { once }),
    log_key: flag(),
    disable_metrics: flag(),
    headers: flag(),
  },
  unknown: "unrecognized rate_limit subdirective '%'",
  example:
    'rate_limit {\n\tzone per_client {\n\t\tkey {remote_host}\n\t\twindow 1m\n\t\tevents 100\n\t}\n}\nrespond "Hello"',
});
