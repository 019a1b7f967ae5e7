/** Formats fleet members for API responses. */
import type { Json, JsonObject } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import type { Member } from '../member/member.ts';
import type { MemberEntry } from '../member-list/member-list.ts';
import { encodeReport, type RolloutReport } from '../rollout/reports.ts';

/** Maximum time that a status request waits for the store, in milliseconds. */
const responsePause = 800;

/** Properties of a member that a response includes in addition to its state. */
interface Shown {
  readonly document: Json;
  readonly isReady: boolean;
  readonly isTaken: boolean;
  readonly report: RolloutReport | null;
}

export function statusOf(member: Member, { document, isReady, isTaken, report }: Shown): JsonObject {
  const { applied, rejected, fork, outage, conflicts, resyncs, forks } = member.state;
  return {
    known: member.place?.head.rev ?? 0,
    applied: applied?.rev ?? 0,
    document: hashNode(document),
    ready: isReady,
    ...(rejected === null ? {} : { rejected: { ...rejected } }),
    ...(fork === null
      ? {}
      : {
          forked: {
            since: timeOf(fork.since),
            reason: fork.reason,
            ours: fork.ours?.rev ?? 0,
            theirs: fork.theirs?.rev ?? 0,
          },
        }),
    ...(outage === null
      ? {}
      : { store_away: { since: timeOf(outage.since), kind: outage.kind, reason: outage.reason } }),
    ...(isTaken ? { name_taken: true } : {}),
    ...(report === null ? {} : { rollout: encodeReport(report) }),
    conflicts,
    forks,
    resyncs: { ...resyncs },
  };
}

/** Formats an entry of the member list for an API response. */
export function shownMember({ name, about, status, isDrained, claims }: MemberEntry): JsonObject {
  return {
    name,
    ...about,
    ...status,
    ...(isDrained ? { drained: true } : {}),
    ...(claims.length === 0 ? {} : { claimed_by: claims.map((claim) => ({ ...claim })) }),
  };
}

/** Resolves to `null` if the store does not respond within {@link responsePause} milliseconds. */
export function withinTimeout<T>(work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), responsePause).unref();
    void work.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}

/** Formats a time for an API response. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
