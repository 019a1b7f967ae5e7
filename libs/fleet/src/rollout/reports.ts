/** Reports of fleet members about a rollout. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import type { MemberEntry } from '../member-list/member-list.ts';
import { decodeTraffic, encodeTraffic } from '@sluice/rollout';

/** A member's report. */
export interface RolloutReport {
  readonly id: string;
  readonly has: 'old' | 'new' | 'failed';
  /** Index of the counting window that `traffic` covers. */
  readonly window: number;
  readonly traffic: TrafficCounts;
  /**
   * Counts of requests that this member handles without the change, if it serves the change to only a share of its clients. Otherwise
   * `null`.
   */
  readonly beside: TrafficCounts | null;
  /** Last {@link RolloutState.beat} that a member with the change has received. */
  readonly heard: number;
  /** Number of traffic threads that have crashed since the member applied the change. */
  readonly lost: number;
  /** Configuration path of the problem if the member could not load the change. `message` is the reason. */
  readonly path: string | null;
  readonly message: string | null;
}

/** State of a member as the coordinator reads it. */
export interface Observed {
  readonly name: string;
  readonly instance: string;
  /** True if the member can participate: it accepts new clients and has the latest revision. */
  readonly isFit: boolean;
  readonly report: RolloutReport | null;
}

/** Encodes a rollout report as part of a member's status. */
export function encodeReport({ traffic, beside, ...report }: RolloutReport): JsonObject {
  return {
    ...report,
    traffic: encodeTraffic(traffic),
    ...(beside === null ? {} : { beside: encodeTraffic(beside) }),
  };
}

/** Converts the entries of a member list for the coordinator. `rev` is the expected revision. */
export function observe(memberList: readonly MemberEntry[], rev: number): readonly Observed[] {
  return memberList.map(({ name, about, status, isDrained }) => ({
    name,
    instance: String(own(about, 'instance')),
    isFit: own(status, 'ready') === true && own(status, 'applied') === rev && !isDrained,
    report: reportOf(own(status, 'rollout')),
  }));
}

function reportOf(value: Json | undefined): RolloutReport | null {
  if (value === undefined || !isObject(value)) return null;
  const has = own(value, 'has');
  const beside = own(value, 'beside');
  return {
    id: String(own(value, 'id')),
    has: has === 'new' || has === 'failed' ? has : 'old',
    window: Number(own(value, 'window')),
    traffic: decodeTraffic(own(value, 'traffic')),
    beside: beside === undefined ? null : decodeTraffic(beside),
    heard: Number(own(value, 'heard') ?? 0),
    lost: Number(own(value, 'lost') ?? 0),
    path: textOf(own(value, 'path')),
    message: textOf(own(value, 'message')),
  };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
