/** The `bind ADDRESS… { protocols NAME… }` directive, which sets the addresses that a site listens on. */
import { isArray, type Json, type JsonObject } from '@sluice/base';
import {
  handler,
  listAt,
  note,
  serversOf,
  words,
  type Binding,
  type Dispenser,
  type WriteGlobalOption,
  type WriteSite,
  type Written,
} from '@sluice/caddyfile';

/** Parses the addresses and protocols of `bind` and `default_bind`. */
export function readBinding(reader: Dispenser): Binding {
  const addresses = reader.remaining();
  const protocols: string[] = [];
  for (const option of reader.block()) {
    if (option !== 'protocols') throw reader.error(`unknown subdirective: ${option}`);
    protocols.push(...reader.arguments());
  }
  return { addresses, protocols };
}

export const binding = {
  shown: ['<address>…'],
  block: { protocols: note('<name>…', 'HTTP protocols to enable.') },
};

export const bind = handler(
  '',
  {
    ...binding,
    matcher: false,
    help: 'Sets the addresses or network interfaces to listen on. Default: all.',
    example: 'bind 127.0.0.1 [::1]\nrespond hi',
  },
  { directive: (reader) => [{ pile: 'bind', value: readBinding(reader) }] },
);

/** Writes one `bind` line for each set of protocols. Writes nothing for a site that listens on all addresses. */
export const writeBind: WriteSite = ({ server }) => bindings(server);

/** Writes a `default_bind` option if all servers have the same listen addresses. */
export const defaultBind: WriteGlobalOption = (document) => {
  const [first, ...others] = serversOf(document).map(([, server]) => bindings(server));
  if (first === undefined || first === null) return null;
  const isCommon = others.every((each) => JSON.stringify(each) === JSON.stringify(first));
  return isCommon ? first.map((line): Written => ({ ...line, doubtful: 'out' })) : null;
};

function bindings(server: JsonObject): readonly Written[] | null {
  const protocols = listAt(server, ['listen_protocols']);
  const lines = new Map<string, { hosts: string[]; protocols: readonly string[] }>();
  for (const [at, address] of words(listAt(server, ['listen'])).entries()) {
    const own = protocolsOf(protocols[at]);
    const line = lines.get(own.join()) ?? { hosts: [], protocols: own };
    lines.set(own.join(), line);
    const host = hostOf(address);
    if (!line.hosts.includes(host)) line.hosts.push(host);
  }
  const all = [...lines.values()];
  if (all.every((line) => line.protocols.length === 0 && line.hosts.join() === '')) return null;
  return all.map((line): Written => {
    const named = all.length === 1 && line.hosts.join() === '' ? [] : line.hosts;
    if (line.protocols.length === 0) return { words: named };
    return { words: named, block: [{ words: ['protocols', ...line.protocols] }] };
  });
}

function protocolsOf(value: Json | undefined): readonly string[] {
  return isArray(value) ? words(value) : [];
}

function hostOf(address: string): string {
  if (/^(?:unix|fd)/.test(address)) return address;
  return address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
}
