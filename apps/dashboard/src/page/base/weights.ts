/** Weights of the upstreams of a proxy, as its policy `weighted_round_robin` has them: one per upstream, in their order. */
import { isList, own, valueAt, type Json, type Path } from './json.ts';

const policyPath: Path = ['load_balancing', 'selection_policy'];

/** Where the upstream stands among those of its proxy; -1 where it was found otherwise. */
function indexOf(proxy: Json | undefined, address: string): number {
  const upstreams = own(proxy, 'upstreams');
  return isList(upstreams) ? upstreams.findIndex((each) => own(each, 'dial') === address) : -1;
}

/** The weight of an upstream; `null` where its proxy does not choose by weight. 0, or none: never. */
export function weightOf(proxy: Json | undefined, address: string): number | null {
  const policy = valueAt(proxy, policyPath);
  const index = indexOf(proxy, address);
  if (own(policy, 'policy') !== 'weighted_round_robin' || index < 0) return null;
  const weights = own(policy, 'weights');
  const weight = isList(weights) ? weights[index] : undefined;
  return typeof weight === 'number' ? weight : 0;
}

/** All weights of the policy with another one for an upstream. Those that are missing before it are written as what they mean. */
export function withWeight(proxy: Json | undefined, address: string, weight: number): readonly Json[] {
  const old = valueAt(proxy, [...policyPath, 'weights']);
  const index = indexOf(proxy, address);
  const weights = isList(old) ? [...old] : [];
  while (weights.length < index) weights.push(0);
  weights[index] = weight;
  return weights;
}

/** Where the weights of a proxy stand. */
export function weightsPath(proxy: Path): Path {
  return [...proxy, ...policyPath, 'weights'];
}
