/** Returns the path of the WAF engine built by `npm test`, or `null` if the engine cannot be built on this machine. */
export function wafEngine(): string | null {
  return process.env['SLUICE_WAF_ENGINE'] ?? null;
}
