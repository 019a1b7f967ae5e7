/** `proxy_protocol { timeout TIME; allow RANGE…; deny RANGE…; fallback_policy NAME }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const policies = ['IGNORE', 'USE', 'REJECT', 'REQUIRE', 'SKIP'];

/** Reads the options. */
export function readProxyProtocol(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  reader.noArguments();
  for (const option of reader.block()) {
    if (option === 'timeout') {
      fields['timeout'] = readDuration(reader, reader.argument(), 'proxy_protocol timeout');
    } else if (option === 'allow' || option === 'deny') {
      const known = (fields[option] ?? []) as readonly string[];
      fields[option] = [...known, ...reader.remaining()];
    } else if (option === 'fallback_policy') {
      const policy = reader.argument().toUpperCase();
      if (!policies.includes(policy)) throw reader.error(`unknown policy: ${reader.value}`);
      fields['fallback_policy'] = policy;
    } else {
      throw reader.argumentError();
    }
  }
  return compact(fields);
}
