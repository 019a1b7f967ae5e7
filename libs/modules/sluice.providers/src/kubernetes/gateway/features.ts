/** Features of the Gateway API that the provider supports, by the names of the conformance suite, in order. */
export const supportedFeatures: readonly string[] = ['Gateway', 'HTTPRoute', 'ReferenceGrant'];
