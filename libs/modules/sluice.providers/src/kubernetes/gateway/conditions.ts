/** Conditions in the status of Kubernetes objects. */
import type { Condition } from '../objects.ts';

/** A condition, without the parts that depend on the object and its previous status. */
export interface Finding {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
}

export function holds(type: string, reason: string = type, message = ''): Finding {
  if (reason !== type || message !== '') return { type, isTrue: true, reason, message };
  const known = usual.get(type) ?? { type, isTrue: true, reason, message };
  usual.set(type, known);
  return known;
}

/** Shared conditions of valid objects, keyed by type. Thousands of routes use the same conditions. */
const usual = new Map<string, Finding>();

export function fails(type: string, reason: string, message: string): Finding {
  return { type, isTrue: false, reason, message };
}

/** Returns the conditions of an object. A condition with unchanged status keeps its last transition time. */
export function conditionsOf(
  findings: readonly Finding[],
  generation: number,
  previous: readonly Condition[] | undefined,
): readonly Condition[] {
  return findings.map(({ type, isTrue, reason, message }) => {
    const status = isTrue ? 'True' : 'False';
    const known = previous?.find((each) => each.type === type);
    return {
      type,
      status,
      reason,
      message,
      observedGeneration: generation,
      lastTransitionTime: known?.status === status && known.lastTransitionTime ? known.lastTransitionTime : now(),
    };
  });
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+/, '');
}
