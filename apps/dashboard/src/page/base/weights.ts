/** Upstream weights for the policy `weighted_round_robin`, in the order of the upstreams. */
import { isList, own, valueAt, type Json, type Path } from './json.ts';

const policyPath: Path = ['load_balancing', 'selection_policy'];

/** Returns the index of an upstream in its proxy's list, or -1 if the upstream is dynamic. */
function indexOf(proxy: Json | undefined, address: string): number {
  const upstreams = own(proxy, 'upstreams');
  return isList(upstreams) ? upstreams.findIndex((each) => own(each, 'dial') === address) : -1;
}

/** Returns the weight of an upstream, or `null` if its proxy does not use weights. An upstream with weight 0 is never selected. */
export function weightOf(proxy: Json | undefined, address: string): number | null {
  const policy = valueAt(proxy, policyPath);
  const index = indexOf(proxy, address);
  if (own(policy, 'policy') !== 'weighted_round_robin' || index < 0) return null;
  const weights = own(policy, 'weights');
  const weight = isList(weights) ? weights[index] : undefined;
  return typeof weight === 'number' ? weight : 0;
}

/** Returns all weights of a proxy, with a new weight for one upstream. Missing weights become 0. */
export function withWeight(proxy: Json | undefined, address: string, weight: number): readonly Json[] {
  const old = valueAt(proxy, [...policyPath, 'weights']);
  const index = indexOf(proxy, address);
  const weights = isList(old) ? [...old] : [];
  while (weights.length < index) weights.push(0);
  weights[index] = weight;
  return weights;
}

export function weightsPath(proxy: Path): Path {
  return [...proxy, ...policyPath, 'weights'];
}
