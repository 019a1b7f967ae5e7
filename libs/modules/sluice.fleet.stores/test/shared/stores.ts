/** Helpers for the tests of all fleet stores. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import {
  beginning,
  encodeEntry,
  entryAfter,
  fleetStores,
  headAt,
  type Entry,
  type FleetStore,
  type Head,
  type Watcher,
} from '@sluice/fleet';
import { provision, type Relay } from '@sluice/testing';
import { register } from '../../src/index.ts';

/** Lineage of all log entries in the tests. */
export const lineage = 'a-lineage';

export async function openStore(options: JsonObject, cluster: string): Promise<FleetStore> {
  const { instance } = await provision(fleetStores, options, { register: [register], key: 'engine' });
  return instance.open(cluster);
}

/** Returns the log entry that follows a head, or the first entry if there is no head. */
export function next(head: Head | null, value: string): Entry {
  const patch = [{ op: 'replace', path: '/apps', value }];
  const change = { op: randomUUID(), who: 'a', when: 1, patch, inverse: [], requires: [] };
  return entryAfter(head ?? beginning(lineage), change);
}

/** Appends a log entry and returns the new head. */
export async function add(store: FleetStore, head: Head | null, value: string): Promise<Head> {
  const entry = next(head, value);
  expect((await store.swap(head, lineage, [entry])).outcome).to.equal('swapped');
  return headAt(lineage, entry);
}

/** Returns the code of the error with which a promise rejects, or `null` if it does not reject. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => (error as { code: unknown }).code,
  );
}

/** Waits for a condition for a limited time. The assertion that follows reports a missing result. */
export async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1000 && !(await done()); i++) await sleep(10);
}

/** Records the output of a store watch. */
export class Seen implements Watcher {
  readonly all: string[] = [];

  entry(entry: Entry): void {
    this.all.push(encodeEntry(entry));
  }

  trimmed(): void {
    this.all.push('trimmed');
  }

  forked(head: Head | null): void {
    this.all.push(`forked at ${head?.rev ?? 'nothing'}`);
  }

  broken(): void {}
}

/** Positions at which a watch is disconnected, and actions in between. */
interface Cuts {
  readonly writer: FleetStore;
  /** Store client that is connected through a relay. */
  readonly reader: FleetStore;
  readonly relay: Relay;
  /** Compacts the internal history of the store, but not the fleet log. */
  compact(): void | Promise<void>;
}

/**
 * Disconnects a watch at 200 positions. Each time, more bytes from the server pass before the connection is cut. Every fourth cut
 * interrupts the reconnection after another cut. In between, the store's internal history is compacted. Checks that no entry is missing or
 * duplicated.
 */
export async function missesNothing({ writer, reader, relay, compact }: Cuts): Promise<void> {
  const seen = new Seen();
  const watch = reader.watch(1, seen);
  const made: string[] = [];
  const caughtUp = (): boolean => seen.all.length >= made.length;
  let head: Head | null = null;
  for (let place = 0; place < 200; place++) {
    await until(caughtUp);
    expect(seen.all.length, `at place ${place}`).to.equal(made.length);
    const cuts = relay.cuts;
    if (place % 4 === 3) relay.cut();
    relay.cutAfter(place % 4 === 3 ? place * 31 : place * 11);
    for (let i = 0; i < 3; i++) {
      const entry: Entry = next(head, `${place}.${i}`);
      expect((await writer.swap(head, lineage, [entry])).outcome).to.equal('swapped');
      head = headAt(lineage, entry);
      made.push(encodeEntry(entry));
      if (place % 20 === 10 && i === 1) await compact();
    }
    await until(() => relay.cuts > cuts || caughtUp());
    if (relay.cuts === cuts) relay.cut();
  }
  relay.cutAfter(null);
  await until(caughtUp);
  watch.close();
  expect(seen.all).to.deep.equal(made);
}
