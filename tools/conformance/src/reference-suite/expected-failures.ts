/** Tests of Caddy's suite that Sluice fails by design, each with its reason. docs/differences.md contains the same reasons. */

/** Reason for an expected failure, and a pattern for its message. Failures with other messages are still reported. */
export interface ExpectedFailure {
  readonly reason: string;
  /** Pattern that every failure message of the test must match. */
  readonly complaint: RegExp;
}

const words = 'error messages are worded differently and include the position';

export const expectedFailures: ReadonlyMap<string, ExpectedFailure> = new Map([
  [
    'TestECHRejectionSendsRetryConfigs',
    { reason: 'encrypted_client_hello has no effect', complaint: /no certificate for ech\.localhost/ },
  ],
  [
    'TestMapInvalidDestination',
    { reason: words, complaint: /destinations\[0\].*: .* is not a placeholder|destination must be a placeholder/ },
  ],
  [
    'TestIntermediateLifetimeLessThanRoot',
    { reason: words, complaint: /intermediate_lifetime: must be shorter than the life of the root/ },
  ],
  ['TestLeafCertLifetimeLessThanIntermediate', { reason: words, complaint: /but got .*lifetime: .*intermediate/ }],
  ['TestWeightedRoundRobinSelectionValidation', { reason: words, complaint: /but got .*selection_policy\.weights/ }],
  [
    'TestReverseProxyRequestBodyTimeout',
    {
      reason: 'a client that sends its body too slowly gets 408, even if the body is proxied',
      complaint: /unexpected timeout response status: 408/,
    },
  ],
  [
    'TestHandleErrorRangeAndCodes',
    {
      reason: 'also fails with Caddy if the caddy command (2.11.9) adapts differently than the checkout',
      complaint: /configuration isn't active/,
    },
  ],
  [
    'TestReverseProxySNIPlaceHolder',
    {
      reason: 'HTTP/3 is opt-in, so the server of the test does not listen on UDP',
      complaint: /unexpected status code: 50[24]|status.* 50[24]/,
    },
  ],
]);

/** Returns the reason if `output` contains only expected failures. Otherwise, returns `null`. */
export function expectedReason(name: string, output: string): string | null {
  const expected = expectedFailures.get(name);
  if (expected === undefined || /^panic: /m.test(output)) return null;
  const complaints = complaintsIn(output);
  return complaints.length > 0 && complaints.every((line) => expected.complaint.test(line)) ? expected.reason : null;
}

/** Returns the lines with failure messages. Such lines begin with a source location. Printed configurations are ignored. */
function complaintsIn(output: string): string[] {
  return output.split('\n').filter((line) => /^\s+\w+\.go:\d+: /.test(line) && !/: (Before|After|-{5,})/.test(line));
}
