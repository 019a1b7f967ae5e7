/** Caddyfile syntax: `tls [MATCHER …]` and `quic [MATCHER …]` */
import { isObject, type Json } from '@sluice/base';
import { syntax, type Dispenser, type Line, type Syntax, type Written, type Writer } from '@sluice/caddyfile';
import { inlineOrBlock, matcher } from './matcher.ts';

/** Parses handshake matchers: one on the line, or several in a block. */
function readHandshake(reader: Dispenser): Json {
  const found: Record<string, Json> = {};
  const add = (): void => {
    const name = reader.value;
    if (Object.hasOwn(found, name)) throw reader.error(`handshake matcher '${name}' is repeated`);
    found[name] = reader.module(`tls.handshake_match.${name}`);
  };
  if (reader.nextArgument()) add();
  else for (const _ of reader.block()) add();
  return found;
}

async function writeHandshake(options: Json, writer: Writer): Promise<readonly Written[] | null> {
  const lines: Line[] = [];
  for (const [name, value] of Object.entries(isObject(options) ? options : {})) {
    const found = await writer.module(`tls.handshake_match.${name}`, value);
    if (found?.length !== 1) return null;
    lines.push(...found);
  }
  return [inlineOrBlock(lines)];
}

export const handshake = (name: string): Syntax =>
  syntax(
    matcher(`${name} sni example.com`, {
      shown: ['[<matcher> …]'],
      content: 'tls.handshake_match',
      help: `Matches ${name === 'tls' ? 'TLS' : 'QUIC'} connections whose handshake matches all matchers in the block.`,
    }),
    { read: readHandshake, write: writeHandshake },
  );
