/** `bind ADDRESS… { protocols NAME… }`: which addresses a site listens on. */
import type { Binding, ConfigValue, DirectiveReader, Dispenser } from '@sluice/caddyfile';

/** Reads addresses and protocols, for `default_bind`, too. */
export function readBinding(reader: Dispenser): Binding {
  const addresses = reader.remaining();
  const protocols: string[] = [];
  for (const option of reader.block()) {
    if (option !== 'protocols') throw reader.error(`unknown subdirective: ${option}`);
    protocols.push(...reader.arguments());
  }
  return { addresses, protocols };
}

/** Adds a binding to the site. */
export function bind(reader: DirectiveReader): readonly ConfigValue[] {
  return [{ pile: 'bind', value: readBinding(reader) }];
}
