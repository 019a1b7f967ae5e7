/** The directive `cache [matcher] { … }`, and the global option `cache` with the same block. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  block,
  blockLines,
  Draft,
  duration,
  entries,
  flag,
  handler,
  integer,
  list,
  none,
  option,
  readBlock,
  size,
  text,
  type Block,
  type FinishConfig,
  type Line,
  type Term,
} from '@sluice/caddyfile';

const keyBlock: Block = {
  disable_body: flag(),
  disable_host: flag(),
  disable_method: flag(),
  disable_query: flag(),
  disable_scheme: flag(),
  hash: flag(),
  hide: flag(),
  template: text('<template>'),
  headers: list('<field> …'),
};

const keyGrammar = { block: keyBlock, unknown: "unrecognized key subdirective '%'" };

/** Syntax of a cache key rule, with one block per pattern. */
const cacheKeys: Term = {
  shown: '',
  read(reader, draft, name) {
    const found = { ...(draft.get([name]) as Record<string, Json> | undefined) };
    for (const pattern of reader.block()) {
      reader.noArguments();
      const inner = new Draft();
      readBlock(reader, inner, keyGrammar);
      found[pattern] = inner.fields;
    }
    draft.put([name], found);
  },
  async write(name, { cache_keys: keys }, writer) {
    if (!isObject(keys)) return [];
    const lines: Line[] = [];
    for (const [pattern, key] of Object.entries(keys)) {
      const inner = isObject(key) ? await blockLines(keyGrammar, key, writer) : null;
      if (inner === null) return null;
      lines.push({ words: [pattern], block: inner });
    }
    return [{ words: [name], block: lines }];
  },
};

const store = block({
  path: text('<path>'),
  url: text('<url>'),
  configuration: entries('<name> <value>', {
    value: (reader) => reader.remaining().join(' '),
  }),
});

const words: Block = {
  allowed_http_verbs: list('<method> …'),
  allowed_additional_status_codes: list('<status> …', {
    each(reader, word) {
      const status = Number(word);
      if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
      throw reader.error(`'${word}' is not a status code from 200 to 599`);
    },
  }),
  cache_keys: cacheKeys,
  cache_name: text('<name>'),
  default_cache_control: text('<value>'),
  disable_coalescing: flag(),
  disk: block({ path: text('<path>'), size: size() }),
  headers: list('<field> …'),
  key: block(keyBlock, { unknown: keyGrammar.unknown }),
  log_level: text('<level>'),
  max_cacheable_body_bytes: integer('<bytes>'),
  memory: size(),
  mode: text('strict|bypass|bypass_request|bypass_response'),
  regex: block({ exclude: text('<pattern>') }),
  stale: duration(),
  storers: list('<store> …'),
  targeted: list('<field> …'),
  timeout: block({ backend: duration(), cache: duration() }),
  ttl: duration(),
  badger: store,
  etcd: store,
  nats: store,
  nuts: store,
  olric: store,
  otter: store,
  redis: store,
  simplefs: store,
};

const unknown = "unrecognized cache subdirective '%'";

export const cache = handler('cache', {
  line: none,
  block: words,
  unknown,
  example: 'cache {\n\tttl 5m\n\tstale 1h\n}\nreverse_proxy localhost:9000',
});

/** The global option. */
export const cacheOption = option({
  at: 'apps.cache',
  line: none,
  block: words,
  unknown,
  help: 'Sets defaults for all `cache` directives.',
  example: 'cache {\n\tmemory 256MiB\n\tdisk {\n\t\tpath /var/cache/sluice\n\t\tsize 10GiB\n\t}\n}',
});

export const finishCache: FinishConfig = (apps, options) => {
  const found = options.get<JsonObject>('cache');
  if (found !== undefined) apps['cache'] = found;
};
