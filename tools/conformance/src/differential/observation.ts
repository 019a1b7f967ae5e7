/** Observations of a pair in a form that can be compared and saved. Values that vary between runs are removed. */
import { createHash } from 'node:crypto';
import type { Heard } from './client.ts';
import type { Field, Message } from './message.ts';

export interface SeenMessage {
  readonly start: string;
  /** Header fields as `Name: value`, sorted by name. Lines with the same name keep their order. */
  readonly fields: readonly string[];
  readonly framing: string;
  readonly body: string;
  readonly trailers: readonly string[];
}

/** Messages received by the upstream and the client for one pair. */
export interface Observation {
  readonly upstream: readonly SeenMessage[];
  readonly interim: readonly SeenMessage[];
  readonly response: SeenMessage | null;
  readonly ending: Heard['ending'];
}

/** Maximum length of a body that is stored verbatim. Longer bodies are replaced by their length and hash. */
const maxText = 160;

/** Builds an observation. Replaces the upstream address, which varies between runs, with a placeholder. */
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
    body: reported(body),
    trailers: sorted(trailers),
  };
}

/** Removes the current date but keeps a fixed date set by the pair. Sorts the fields, because Caddy announces trailers in random order. */
function sorted(fields: readonly Field[]): string[] {
  const now = new Date().getUTCFullYear();
  return fields
    .filter(([name, value]) => name !== 'Date' || !value.includes(` ${now} `))
    .map(([name, value]): Field => (name === 'Trailer' ? [name, value.split(', ').sort().join(', ')] : [name, value]))
    .map(([name, value], index) => ({ key: name.toLowerCase(), index, line: `${name}: ${value}` }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ line }) => (line.length <= maxText ? line : `${line.slice(0, 40)}… (${line.length})`));
}

function reported(body: Buffer): string {
  if (body.length <= maxText) return body.toString('latin1');
  return `${body.length} bytes, sha1 ${createHash('sha1').update(body).digest('hex')}`;
}
