/** Rollout plans: the stages in which a change reaches the members, such as `canary:1,10%,50%,all;hold=30s`. */
import { messageOf, parseDuration, SluiceError, numberAt } from '@sluice/base';

/** Number or percentage of members with the change in a stage, including members of earlier stages. The last stage (`all`) has no entry. */
export type Stage = { readonly members: number } | { readonly percent: number };

export interface Plan {
  readonly stages: readonly Stage[];
  /** Observation time per stage, in milliseconds. */
  readonly hold: number;
}

const usage = 'the format is canary:1,10%,50%,all;hold=30s';
const defaultHold = 30_000;
const maxHold = 86_400_000;
const maxStages = 20;

/** Parses a plan. Throws an error with status 400 if the plan is invalid. */
export function parsePlan(text: string): Plan {
  const [list = '', ...settings] = text.split(';').map((part) => part.trim());
  const words = list.split(',').map((word) => word.trim());
  if (words.pop() !== 'all') throw bad(text, 'the last stage must be all');
  if (words.length === 0 || words.length > maxStages)
    throw bad(text, `there must be 1 to ${maxStages} stages before all`);
  return { stages: checkGrowth(text, words.map(stageOf(text))), hold: holdOf(text, settings) };
}

/** Formats a plan in the syntax of {@link parsePlan}. */
export function formatPlan({ stages, hold }: Plan): string {
  return `${[...stages.map(formatStage), 'all'].join(',')};hold=${hold / 1000}s`;
}

/** Formats a stage; `undefined` = the last stage. */
export function formatStage(stage: Stage | undefined): string {
  if (stage === undefined) return 'all';
  return 'members' in stage ? `canary:${stage.members}` : `${stage.percent}%`;
}

/** Returns the number of members that have the change in a stage, at least 1. */
export function sizeOf(stage: Stage | undefined, members: number): number {
  if (stage === undefined) return members;
  return 'members' in stage ? stage.members : Math.max(1, Math.ceil((stage.percent / 100) * members));
}

function stageOf(text: string): (word: string) => Stage {
  return (word) => {
    const [, members, percent] = /^(?:canary:(\d{1,6})|(\d{1,2}(?:\.\d{1,3})?)%)$/.exec(word) ?? [];
    const stage = members === undefined ? { percent: Number(percent) } : { members: Number(members) };
    if (!(numberAt(Object.values(stage), 0) > 0)) throw bad(text, `invalid stage ${JSON.stringify(word)}`);
    return stage;
  };
}

/** Stages of the same kind must increase. A number and a percentage cannot be compared without the fleet size. */
function checkGrowth(text: string, stages: readonly Stage[]): readonly Stage[] {
  for (const key of ['members', 'percent'] as const) {
    const sizes = stages.flatMap((stage) => (key in stage ? Object.values(stage) : [])) as readonly number[];
    if (sizes.some((size, i) => i > 0 && size <= numberAt(sizes, i - 1)))
      throw bad(text, 'each stage must have more members than the previous one');
  }
  return stages;
}

function holdOf(text: string, settings: readonly string[]): number {
  let hold = defaultHold;
  for (const setting of settings) {
    const [key, value = ''] = setting.split('=');
    if (key !== 'hold') throw bad(text, `unknown setting ${JSON.stringify(setting)}`);
    try {
      hold = parseDuration(value);
    } catch (error) {
      throw bad(text, `hold: ${messageOf(error)}`);
    }
  }
  if (hold >= 1000 && hold <= maxHold) return hold;
  throw bad(text, 'hold must be 1s to 24h');
}

function bad(text: string, reason: string): Error {
  return new SluiceError('ERR_FLEET_ROLLOUT', `rollout=${text}: ${reason}; ${usage}`, { status: 400 });
}
