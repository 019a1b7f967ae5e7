/** Objects that Gateways and ListenerSets refer to. */
import type { Gateway, ListenerSet } from '../objects.ts';

/** Returns the keys of the Secrets with the certificates of listeners. */
export function secretsOf({ metadata, spec }: Gateway | ListenerSet): readonly string[] {
  return (spec.listeners ?? [])
    .flatMap(({ tls }) => tls?.certificateRefs ?? [])
    .filter(({ kind = 'Secret', group = '' }) => kind === 'Secret' && group === '')
    .map((each) => `${each.namespace ?? metadata.namespace ?? ''}/${each.name}`);
}
