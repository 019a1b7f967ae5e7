/** What a pair led to, in a form that can be compared and kept: without what differs from run to run. */
import { createHash } from 'node:crypto';
import type { Heard } from './client.ts';
import type { Field, Message } from './message.ts';

/** A message. */
export interface SeenMessage {
  readonly start: string;
  /** `Name: value`, sorted by name; lines of one name keep their order. */
  readonly fields: readonly string[];
  readonly framing: string;
  readonly body: string;
  readonly trailers: readonly string[];
}

/** What the upstream and the client saw of a pair. */
export interface Observation {
  readonly upstream: readonly SeenMessage[];
  readonly interim: readonly SeenMessage[];
  readonly response: SeenMessage | null;
  readonly ending: Heard['ending'];
}

/** Longer bodies are told by length and hash. */
const maxText = 160;

/** Puts together what was seen. `upstream` and what stands for it differ from run to run. */
export function observe(requests: readonly Message[], heard: Heard, upstreamPort: number): Observation {
  const plain = (message: Message): SeenMessage => seen(message, upstreamPort);
  return {
    upstream: requests.map(plain),
    interim: heard.interim.map(plain),
    response: heard.response === null ? null : plain(heard.response),
    ending: heard.ending,
  };
}

function seen({ start, fields, framing, body, trailers }: Message, upstreamPort: number): SeenMessage {
  return {
    start,
    fields: sorted(fields).map((line) => line.replace(`127.0.0.1:${upstreamPort}`, '<upstream>')),
    framing,
    body: told(body),
    trailers: sorted(trailers),
  };
}

/** The date of now is left out, and that of the pair kept. The reference announces trailers in an order of chance. */
function sorted(fields: readonly Field[]): string[] {
  const now = new Date().getUTCFullYear();
  return fields
    .filter(([name, value]) => name !== 'Date' || !value.includes(` ${now} `))
    .map(([name, value]): Field => (name === 'Trailer' ? [name, value.split(', ').sort().join(', ')] : [name, value]))
    .map(([name, value], index) => ({ key: name.toLowerCase(), index, line: `${name}: ${value}` }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ line }) => (line.length <= maxText ? line : `${line.slice(0, 40)}… (${line.length})`));
}

function told(body: Buffer): string {
  if (body.length <= maxText) return body.toString('latin1');
  return `${body.length} bytes, sha1 ${createHash('sha1').update(body).digest('hex')}`;
}
