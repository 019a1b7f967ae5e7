/**
 * Rollout plans, which list the stages of a change. Example for one server: `1%,10%,50%,all;hold=30s`. Example for a fleet:
 * `canary:1,50%,all;first=1%,10%`.
 */
import { messageOf, numberAt, parseDuration, SluiceError } from '@sluice/base';
import type { CanaryKey } from '@sluice/registry';

/**
 * Size of a stage, including earlier stages: a number or percentage of members, or a percentage of a server's clients. In a fleet,
 * `firstPercent` is the percentage of clients on the first member. The last stage (`all`) has no entry.
 */
export type Stage = { readonly members: number } | { readonly percent: number } | { readonly firstPercent: number };

/** A difference that the author of a change expects: more responses of one status class, or higher latency. It doesn't cause a rollback. */
export type Expectation = (typeof expectations)[number];

const expectations = ['3xx', '4xx', '5xx', 'latency'] as const;

export interface Plan {
  readonly stages: readonly Stage[];
  /** Observation time per stage, in milliseconds. */
  readonly hold: number;
  /** Observation times of the first stages in milliseconds, if they differ from `hold`. `hold` applies to the later stages. */
  readonly holds?: readonly number[];
  /** Request property that determines which clients get the change. Default: the connection. */
  readonly key?: CanaryKey;
  readonly expected?: readonly Expectation[];
}

const usage =
  'the format is 1%,10%,50%,all;hold=30s, or in a fleet canary:1,10%,50%,all;hold=30s, with first=1%,10% for steps within the first member';
const defaultHold = 30_000;
const maxHold = 86_400_000;
const maxStages = 20;

/** Parses a rollout plan. Throws an error with status 400 if the plan is invalid. */
export function parsePlan(text: string): Plan {
  const [list = '', ...settings] = text.split(';').map((part) => part.trim());
  const words = list.split(',').map((word) => word.trim());
  if (words.pop() !== 'all') throw planError(text, 'the last stage must be all');
  if (words.length === 0 || words.length > maxStages)
    throw planError(text, `a rollout must have 1 to ${maxStages} stages before all`);
  const { first = [], ...plan } = settings.reduce(
    (known, setting) => ({ ...known, ...settingOf(text, setting) }),
    {} as Settings,
  );
  const stages = checkGrowth(text, [...first, ...words.map(stageOf(text))]);
  return { stages, hold: defaultHold, ...plan };
}

interface Settings extends Partial<Omit<Plan, 'stages'>> {
  /** Stages within the first member of a fleet. */
  readonly first?: readonly Stage[];
}

/** Formats a rollout plan in the syntax of {@link parsePlan}. */
export function formatPlan({ stages, hold, holds = [], key, expected = [] }: Plan): string {
  const times = [...holds, hold].map((time) => `${time / 1000}s`).join(',');
  const by = key === undefined ? '' : `;by=${formatKey(key)}`;
  const firsts = stages.flatMap((stage) => ('firstPercent' in stage ? [`${stage.firstPercent}%`] : []));
  const first = firsts.length === 0 ? '' : `;first=${firsts.join(',')}`;
  const expect = expected.length === 0 ? '' : `;expect=${expected.join(',')}`;
  const others = stages.filter((stage) => !isWithinFirst(stage)).map(formatStage);
  return `${[...others, 'all'].join(',')};hold=${times}${first}${by}${expect}`;
}

/** Reports whether a stage applies the change to only a share of the first member's clients. `undefined` means the last stage. */
export function isWithinFirst(stage: Stage | undefined): stage is { readonly firstPercent: number } {
  return stage !== undefined && 'firstPercent' in stage;
}

/** Formats a stage. `undefined` means the last stage. */
export function formatStage(stage: Stage | undefined): string {
  if (stage === undefined) return 'all';
  if ('members' in stage) return `canary:${stage.members}`;
  return 'percent' in stage ? `${stage.percent}%` : `first:${stage.firstPercent}%`;
}

export function formatKey(key: CanaryKey): string {
  return 'name' in key ? `${key.of}:${key.name}` : key.of;
}

/** Returns the observation time of a stage, in milliseconds. */
export function holdOf({ hold, holds = [] }: Plan, stage: number): number {
  return holds[stage] ?? hold;
}

/** Returns the number of members that have the change in a stage. The minimum is 1. */
export function sizeOf(stage: Stage | undefined, members: number): number {
  if (stage === undefined) return members;
  if ('members' in stage) return stage.members;
  return 'percent' in stage ? Math.max(1, Math.ceil((stage.percent / 100) * members)) : 1;
}

/**
 * Reports whether a plan meets a required plan. For each required stage, in order, the plan must have a matching stage. A matching stage is
 * at most as large, and is observed for at least as long.
 */
export function isAtLeast(plan: Plan, required: Plan): boolean {
  let next = 0;
  for (const [i, wanted] of required.stages.entries()) {
    const found = plan.stages.findIndex(
      (stage, at) => at >= next && isWithin(stage, wanted) && holdOf(plan, at) >= holdOf(required, i),
    );
    if (found < 0) return false;
    next = found + 1;
  }
  return true;
}

function isWithin(stage: Stage, limit: Stage): boolean {
  if ('members' in stage) return 'members' in limit && stage.members <= limit.members;
  if ('percent' in stage) return 'percent' in limit && stage.percent <= limit.percent;
  return 'firstPercent' in limit && stage.firstPercent <= limit.firstPercent;
}

function stageOf(text: string): (word: string) => Stage {
  return (word) => {
    const [, members, percent] = /^(?:canary:(\d{1,6})|(\d{1,2}(?:\.\d{1,3})?)%)$/.exec(word) ?? [];
    const stage = members === undefined ? { percent: Number(percent) } : { members: Number(members) };
    if (!(numberAt(Object.values(stage), 0) > 0)) throw planError(text, `invalid stage ${JSON.stringify(word)}`);
    return stage;
  };
}

/** Checks that stages of the same kind increase. A number and a percentage can't be compared without knowing the fleet size. */
function checkGrowth(text: string, stages: readonly Stage[]): readonly Stage[] {
  for (const key of ['members', 'percent', 'firstPercent'] as const) {
    const sizes = stages.flatMap((stage) => (key in stage ? Object.values(stage) : [])) as readonly number[];
    if (sizes.some((size, i) => i > 0 && size <= numberAt(sizes, i - 1)))
      throw planError(text, 'each stage must be larger than the previous one');
  }
  return stages;
}

function settingOf(text: string, setting: string): Settings {
  const equals = setting.indexOf('=');
  const [name, value] = equals < 0 ? [setting, ''] : [setting.slice(0, equals), setting.slice(equals + 1)];
  if (name === 'by') return { key: keyOf(text, value) };
  if (name === 'first') return { first: firstOf(text, value) };
  if (name === 'expect') return { expected: value.split(',').map((word) => expectationOf(text, word.trim())) };
  if (name !== 'hold') throw planError(text, `unknown setting ${JSON.stringify(name)}`);
  const times = value.split(',').map((time) => timeOf(text, time.trim()));
  const holds = times.slice(0, -1);
  return { hold: numberAt(times, times.length - 1), ...(holds.length === 0 ? {} : { holds }) };
}

/** Parses the stages within the first member of a fleet. */
function firstOf(text: string, value: string): readonly Stage[] {
  const words = value.split(',').map((word) => word.trim());
  if (words.length > maxStages) throw planError(text, `first must have 1 to ${maxStages} stages`);
  return words.map((word) => {
    const stage = stageOf(text)(word);
    if (!('percent' in stage)) throw planError(text, 'first must consist of percentages');
    return { firstPercent: stage.percent };
  });
}

function timeOf(text: string, value: string): number {
  let time;
  try {
    time = parseDuration(value);
  } catch (error) {
    throw planError(text, `hold: ${messageOf(error)}`);
  }
  if (time >= 1000 && time <= maxHold) return time;
  throw planError(text, 'hold must be 1s to 24h');
}

function keyOf(text: string, value: string): CanaryKey {
  if (value === 'connection' || value === 'address') return { of: value };
  // Names of header fields and cookies are tokens (RFC 9110 §5.6.2).
  const [, of, name] = /^(cookie|header):([!#$%&'*+\-.^_`|~\w]{1,100})$/.exec(value) ?? [];
  if ((of === 'cookie' || of === 'header') && name !== undefined) return { of, name };
  throw planError(text, 'by must be connection, address, cookie:NAME or header:NAME');
}

function expectationOf(text: string, word: string): Expectation {
  const found = expectations.find((each) => each === word);
  if (found !== undefined) return found;
  throw planError(text, `expect must list ${expectations.join(', ')}`);
}

export function planError(text: string, reason: string): SluiceError {
  return new SluiceError('ERR_ROLLOUT_PLAN', `rollout=${text}: ${reason}; ${usage}`, { status: 400 });
}
