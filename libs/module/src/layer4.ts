/** The `layer4` app: interfaces of its matchers, handlers and selection policies. */
export {
  layer4Handlers,
  layer4Matchers,
  layer4Policies,
  type Layer4Connection,
  type Layer4Handler,
  type Layer4Matcher,
  type Layer4Next,
  type Layer4Policy,
  type Verdict as Layer4Verdict,
  type WeightedUpstream as Layer4Upstream,
} from '@sluice/layer4-app';
