/** Reads the state that members report about themselves and about the fleet. */
import type { Revision } from './history/call.ts';
import type { MemberProcess, MemberState } from './member-process.ts';
import { until } from './until.ts';

/** Waits until all members have the same document, or until a timeout. Returns the members' states. */
export async function settle(members: readonly MemberProcess[]): Promise<readonly MemberState[]> {
  let states: readonly MemberState[] = [];
  const areOne = async (): Promise<boolean> => {
    states = await Promise.all(members.map((member) => member.state()));
    const places = states.map(({ hash, document, known, applied }) => [hash, document, known, applied].join());
    return new Set(places).size === 1 && states.every(({ known, applied }) => known === applied);
  };
  await until(areOne, 'all members have the same document', 30_000).catch(() => undefined);
  return states;
}

/** Returns the revisions after `last`, in order. */
export async function historySince(member: MemberProcess, last: number): Promise<readonly Revision[]> {
  const all: Revision[] = [];
  for (let before = ''; ; before = `?before=${all.at(-1)?.revision}`) {
    const { status, text } = await member.ask({ path: `/fleet/history${before}` });
    if (status !== 200) throw new Error(`reading the history failed: ${status} ${text}`);
    const page = JSON.parse(text) as readonly Revision[];
    all.push(...page);
    if (page.length === 0 || (all.at(-1)?.revision ?? 0) <= last + 1)
      return all.filter(({ revision }) => revision > last).toReversed();
  }
}
