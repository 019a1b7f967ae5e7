/** DNS provider implementation for APIs that assign an ID to each record. */
import type { DnsProvider, DnsRecord } from '@sluice/contracts';
import { isOf, recordSets, sameValue, type RecordSet } from './records.ts';

export interface StoredRecord extends DnsRecord {
  readonly id: string;
}

/** API of a DNS provider that works with single records. Names are relative to the zone. */
export interface SingleRecordApi {
  /** Returns the records in a zone. They can be filtered by name and type. */
  find(
    zone: string,
    of: Pick<RecordSet, 'name' | 'type'> | null,
    signal: AbortSignal,
  ): Promise<readonly StoredRecord[]>;
  create(zone: string, record: DnsRecord, signal: AbortSignal): Promise<void>;
  remove(zone: string, id: string, signal: AbortSignal): Promise<void>;
  /** Publishes changes, for APIs that require this as a separate step. */
  publish?(zone: string, signal: AbortSignal): Promise<void>;
}

export function singleRecordProvider(api: SingleRecordApi): DnsProvider {
  /** Creates the missing records of a record set. Returns the records that already exist. */
  const complete = async (zone: string, set: RecordSet, signal: AbortSignal): Promise<readonly StoredRecord[]> => {
    const known = await api.find(zone, set, signal);
    for (const value of set.values)
      if (!known.some((each) => sameValue(set.type, each.value, value)))
        await api.create(zone, { name: set.name, type: set.type, ttl: set.ttl, value }, signal);
    return known;
  };
  return {
    async append(zone, records, signal) {
      for (const set of recordSets(records)) await complete(zone, set, signal);
      await api.publish?.(zone, signal);
    },
    async remove(zone, records, signal) {
      for (const set of recordSets(records)) {
        for (const { id, value } of await api.find(zone, set, signal))
          if (set.values.some((each) => sameValue(set.type, each, value))) await api.remove(zone, id, signal);
      }
      await api.publish?.(zone, signal);
    },
    async set(zone, records, signal) {
      for (const set of recordSets(records)) {
        // Create new records first, so that the name always has a record. This is impossible for CNAME, because a name can have only one
        // CNAME record.
        const known = set.type === 'CNAME' ? [] : await complete(zone, set, signal);
        const outdated = set.type === 'CNAME' ? await api.find(zone, set, signal) : known;
        for (const { id, value } of outdated)
          if (!set.values.some((each) => sameValue(set.type, each, value))) await api.remove(zone, id, signal);
        if (set.type === 'CNAME') await complete(zone, set, signal);
      }
      await api.publish?.(zone, signal);
    },
    get: (zone, signal) => api.find(zone, null, signal).then((found) => found.map(withoutId)),
  };
}

function withoutId({ name, type, value, ttl }: StoredRecord): DnsRecord {
  return { name, type, value, ttl };
}

/** Filters the records in a zone by record set, for APIs that can't filter by name and type. */
export function ofSet(
  records: readonly StoredRecord[],
  set: Pick<RecordSet, 'name' | 'type'> | null,
): readonly StoredRecord[] {
  return set === null ? records : records.filter((record) => isOf(record, set));
}
