/** Checks the invariants that must hold after every simulation. */
import { isArray, type Json } from '@sluice/base';
import { hashNode, getAt } from '@sluice/reconciler';
import { beginning, follows, headAt, type Entry } from '@sluice/fleet';
import { replay, type Call, type Run } from './run.ts';

/** Returns descriptions of the violated invariants. */
export function problemsOf(run: Run): readonly string[] {
  const broken = chainProblems(run);
  return broken.length > 0
    ? broken
    : [...callProblems(run), ...orderProblems(run), ...removalProblems(run), ...memberProblems(run)];
}

function chainProblems({ log, cluster }: Run): string[] {
  const [first] = log;
  if (first === undefined) return ['nothing was ever made'];
  let head = beginning(first.parent);
  for (const entry of log) {
    if (!follows(head, entry)) return [`revision ${entry.rev} does not follow the one before`];
    head = headAt(head.lineage, entry);
  }
  return head.hash === cluster.head?.hash ? [] : ['the head is not the last entry'];
}

function callProblems({ log, calls }: Run): string[] {
  return calls.flatMap(({ op, outcome }) => {
    const times = log.filter((entry) => entry.op === op).length;
    if (outcome === 'committed' && times !== 1) return [`${op} was committed, and is in the log ${times} times`];
    if (outcome === 'refused' && times !== 0) return [`${op} was refused, and is in the log`];
    return times > 1 ? [`${op} is in the log ${times} times`] : [];
  });
}

/**
 * Checks the order of changes. If the response to one change arrived before another change was requested, the first must precede the second
 * in the log.
 */
function orderProblems({ log, calls }: Run): string[] {
  const revs = new Map(log.map(({ op, rev }) => [op, rev]));
  const made = calls.filter(({ op, outcome }) => outcome === 'committed' && revs.has(op));
  const isBefore = (a: Call, b: Call): boolean => a.responded !== null && a.responded < b.called;
  return made.flatMap((a) =>
    made
      .filter((b) => isBefore(a, b) && (revs.get(a.op) as number) > (revs.get(b.op) as number))
      .map((b) => `${a.op} had its response before ${b.op} was asked for, and is later in the log`),
  );
}

/** Checks removals by index. Each must remove the element that was at the index when the client read it. */
function removalProblems({ log, calls }: Run): string[] {
  const asked = new Map(calls.map(({ op, removes }) => [op, removes]));
  return log.flatMap((entry, i) => {
    const removes = asked.get(entry.op) ?? null;
    if (removes === null) return [];
    const lost = listAt(log.slice(0, i)).filter((each) => !listAt(log.slice(0, i + 1)).includes(each));
    return lost.length === 1 && lost[0] === removes
      ? []
      : [`${entry.op} removed ${lost.join()} and meant ${String(removes)}`];
  });
}

function listAt(entries: readonly Entry[]): readonly Json[] {
  const value = getAt(replay(entries), ['apps', 'app', 'list']);
  return value !== undefined && isArray(value) ? value : [];
}

function memberProblems({ log, members, cluster }: Run): string[] {
  const wanted = hashNode(replay(log));
  return members.flatMap(({ name, reconciler, member: { state } }) => {
    if (state.fork !== null) return [`${name} is forked: ${state.fork.reason}`];
    if (state.rejected !== null) return [`${name} could not apply ${state.rejected.rev}: ${state.rejected.message}`];
    if (state.applied?.hash !== cluster.head?.hash)
      return [`${name} is at ${state.applied?.rev} of ${cluster.head?.rev}`];
    if (hashNode(reconciler.document) !== wanted) return [`${name} has another document`];
    return state.resyncs.gap > 0 ? [`${name} missed entries that it should have been told of`] : [];
  });
}
