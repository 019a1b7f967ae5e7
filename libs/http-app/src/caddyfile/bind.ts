/** `bind ADDRESS… { protocols NAME… }`: which addresses a site listens on. */
import type { Binding, ConfigValue, DirectiveReader } from '@sluice/caddyfile';

/** Adds a binding to the site. */
export function bind(reader: DirectiveReader): readonly ConfigValue[] {
  const addresses = reader.remaining();
  const protocols: string[] = [];
  for (const option of reader.block()) {
    if (option !== 'protocols') throw reader.error(`unknown subdirective: ${option}`);
    protocols.push(...reader.arguments());
  }
  const binding: Binding = { addresses, protocols };
  return [{ pile: 'bind', value: binding }];
}
