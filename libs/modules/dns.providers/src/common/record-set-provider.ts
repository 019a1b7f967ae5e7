/** DNS provider implementation for APIs that replace complete record sets. */
import type { DnsProvider, DnsRecord } from '@sluice/contracts';
import { recordSets, sameValue, type RecordSet } from './records.ts';
import { inTurn } from './turns.ts';

/** API of a DNS provider that works with record sets. Names are relative to the zone. */
export interface RecordSetApi {
  readonly name: string;
  /** Returns a record set. If the record set does not exist, the result has no values. */
  read(zone: string, of: Pick<RecordSet, 'name' | 'type'>, signal: AbortSignal): Promise<RecordSet>;
  /** Replaces the record set `known` with `wanted`. If `wanted` has no values, removes the record set. */
  write(zone: string, wanted: RecordSet, known: RecordSet, signal: AbortSignal): Promise<void>;
  list(zone: string, signal: AbortSignal): Promise<readonly RecordSet[]>;
}

export function recordSetProvider(api: RecordSetApi): DnsProvider {
  const change = async (
    zone: string,
    records: readonly DnsRecord[],
    next: (known: RecordSet, set: RecordSet) => RecordSet,
    signal: AbortSignal,
  ): Promise<void> => {
    for (const set of recordSets(records))
      await inTurn(`${api.name} ${zone} ${set.name} ${set.type}`, async () => {
        const known = await api.read(zone, set, signal);
        const wanted = next(known, set);
        if (!isSame(known, wanted)) await api.write(zone, wanted, known, signal);
      });
  };
  const has = (set: RecordSet, value: string): boolean => set.values.some((each) => sameValue(set.type, each, value));
  return {
    append: (zone, records, signal) =>
      change(
        zone,
        records,
        (known, set) => ({ ...set, values: [...known.values, ...set.values.filter((value) => !has(known, value))] }),
        signal,
      ),
    remove: (zone, records, signal) =>
      change(
        zone,
        records,
        (known, set) => ({ ...known, values: known.values.filter((value) => !has(set, value)) }),
        signal,
      ),
    set: (zone, records, signal) => change(zone, records, (_, set) => set, signal),
    get: async (zone, signal) =>
      (await api.list(zone, signal)).flatMap(({ name, type, ttl, values }) =>
        values.map((value): DnsRecord => ({ name, type, ttl, value })),
      ),
  };
}

function isSame(known: RecordSet, wanted: RecordSet): boolean {
  return (
    known.values.length === wanted.values.length &&
    wanted.values.every((value) => known.values.some((each) => sameValue(known.type, each, value)))
  );
}
