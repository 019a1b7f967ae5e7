/** Providers whose API has an ID for each record. */
import type { DnsProvider, DnsRecord } from '@sluice/contracts';
import { isOf, recordSets, sameValue, type RecordSet } from './records.ts';

export interface StoredRecord extends DnsRecord {
  readonly id: string;
}

/** Provider API. Names are relative to the zone. */
export interface SingleRecordApi {
  /** Returns the records of a zone, optionally only records with a name and a type. */
  find(
    zone: string,
    of: Pick<RecordSet, 'name' | 'type'> | null,
    signal: AbortSignal,
  ): Promise<readonly StoredRecord[]>;
  create(zone: string, record: DnsRecord, signal: AbortSignal): Promise<void>;
  remove(zone: string, id: string, signal: AbortSignal): Promise<void>;
  /** Publishes changes, if that is a separate step. */
  publish?(zone: string, signal: AbortSignal): Promise<void>;
}

export function singleRecordProvider(api: SingleRecordApi): DnsProvider {
  /** Creates records that do not exist. Returns the existing ones of the set. */
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
        // New records are created first, so that the name always has a record, unless only one can exist.
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

/** Selects the records of a set from the records of a zone, for APIs that can't filter by name and type. */
export function ofSet(
  records: readonly StoredRecord[],
  set: Pick<RecordSet, 'name' | 'type'> | null,
): readonly StoredRecord[] {
  return set === null ? records : records.filter((record) => isOf(record, set));
}
