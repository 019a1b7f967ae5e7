/** Returns the engine of the web application firewall that `npm test` has built, or `null` if it cannot be built on this machine. */
export function wafEngine(): string | null {
  return process.env['SLUICE_WAF_ENGINE'] ?? null;
}
