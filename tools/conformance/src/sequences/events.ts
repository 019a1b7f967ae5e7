/** Events of a test sequence: changes of Kubernetes objects, and faults between the replicas and the API server. */
import fc from 'fast-check';
import { allTargets } from './objects.ts';

/** A fault injected into the connection between a replica and the API server. */
export type Fault = 'close' | 'cut' | 'gone' | 'gone-event' | 'unavailable' | 'conflict' | 'stall';

export type Event =
  | { readonly event: 'put'; readonly target: number; readonly variant: number }
  /** Deletes an object and recreates it with another variant. */
  | { readonly event: 'replace'; readonly target: number; readonly variant: number }
  | { readonly event: 'delete'; readonly target: number }
  | { readonly event: 'fault'; readonly fault: Fault; readonly replica: number }
  /** Disconnects a replica from the API server, or reconnects it. */
  | { readonly event: 'disconnect' | 'connect'; readonly replica: number }
  | { readonly event: 'compact' | 'restart-api' | 'kill-leader' | 'kill-follower' }
  | { readonly event: 'pause'; readonly milliseconds: number };

const target = fc.nat({ max: allTargets.length - 1 });
const variant = fc.nat({ max: 12 });
const replica = fc.nat({ max: 1 });
const faults: readonly Fault[] = ['close', 'cut', 'gone', 'gone-event', 'unavailable', 'conflict', 'stall'];

const event = fc.oneof<fc.WeightedArbitrary<Event>[]>(
  { weight: 60, arbitrary: fc.record({ event: fc.constant('put' as const), target, variant }) },
  { weight: 10, arbitrary: fc.record({ event: fc.constant('replace' as const), target, variant }) },
  { weight: 14, arbitrary: fc.record({ event: fc.constant('delete' as const), target }) },
  {
    weight: 14,
    arbitrary: fc.record({ event: fc.constant('fault' as const), fault: fc.constantFrom(...faults), replica }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ event: fc.constantFrom('disconnect' as const, 'connect' as const), replica }),
  },
  { weight: 2, arbitrary: fc.constant({ event: 'compact' as const }) },
  { weight: 1, arbitrary: fc.constant({ event: 'restart-api' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ event: 'kill-leader' as const }, { event: 'kill-follower' as const }) },
  {
    weight: 12,
    arbitrary: fc.record({ event: fc.constant('pause' as const), milliseconds: fc.constantFrom(20, 100, 400) }),
  },
);

export const sequences: fc.Arbitrary<readonly Event[]> = fc.array(event, { minLength: 8, maxLength: 40, size: 'max' });

export function describe(each: Event): string {
  const { event: name, ...rest } = each;
  const found = 'target' in each ? allTargets[each.target] : undefined;
  const { target: _target, ...others } = { target: 0, ...rest };
  const details = Object.entries(others).map(([key, value]) => `${key} ${value}`);
  return [name, ...(found === undefined ? [] : [`${found.kind.kind} ${found.name}`]), ...details].join(' ');
}
