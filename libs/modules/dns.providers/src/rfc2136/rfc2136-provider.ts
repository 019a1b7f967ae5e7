/** DNS provider for name servers that accept dynamic updates. */
import type { DnsProvider, DnsRecord } from '@sluice/contracts';
import { encode, type DecodedPacket } from 'dns-packet';
import { zoneName } from '../common/names.ts';
import { recordSets, seconds } from '../common/records.ts';
import { exchange, type Server } from './exchange.ts';
import { addition, recordOf, removal, removalOfSet } from './resource-records.ts';

/** Opcode for updates (RFC 2136 §1.3), shifted to its position in the flags of a message. */
const updateFlags = 5 << 11;
/** Default TTL in seconds. */
const defaultTtl = 300;

export class Rfc2136Provider implements DnsProvider {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    await this.#update(zone, records.map(added(zone)), signal);
  }

  async remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    const removed = records.map((record) => removal(record, zone));
    await this.#update(zone, removed, signal);
  }

  async set(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    const emptied = recordSets(records).map((set) => removalOfSet(set, zone));
    await this.#update(zone, [...emptied, ...records.map(added(zone))], signal);
  }

  /** Fetches all records of a zone by zone transfer (RFC 5936). The server must permit transfers with the key. */
  async get(zone: string, signal: AbortSignal): Promise<readonly DnsRecord[]> {
    let starts = 0;
    const isLast = ({ answers = [] }: DecodedPacket): boolean => {
      // A zone transfer begins and ends with the zone's SOA record.
      starts += answers.filter(({ type }) => type === 'SOA').length;
      return starts >= 2;
    };
    const request = encode({ type: 'query', questions: [{ name: zoneName(zone), type: 'AXFR', class: 'IN' }] });
    const messages = await exchange(this.#server, request, signal, isLast);
    return messages.flatMap(({ answers = [] }) => answers).flatMap((answer) => recordOf(answer, zone) ?? []);
  }

  async #update(zone: string, updates: readonly Buffer[], signal: AbortSignal): Promise<void> {
    if (updates.length === 0) return;
    const head = encode({
      type: 'query',
      flags: updateFlags,
      questions: [{ name: zoneName(zone), type: 'SOA', class: 'IN' }],
    });
    // Update entries are in the authority section of the message (RFC 2136 §2.2).
    head.writeUInt16BE(updates.length, 8);
    await exchange(this.#server, Buffer.concat([head, ...updates]), signal);
  }
}

function added(zone: string): (record: DnsRecord) => Buffer {
  return (record) => addition(record, zone, seconds(record.ttl, defaultTtl));
}
