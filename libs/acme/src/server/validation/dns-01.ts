/** Validation of the `dns-01` challenge (RFC 8555 §8.4). */
import { dnsChallengeName, dnsChallengeValue } from '../../protocol/challenge.ts';
import { problem } from '../../protocol/problem.ts';
import type { ValidationNetwork } from './network.ts';
import type { Validation } from './validation.ts';

/** Validates a `dns-01` challenge: checks that a TXT record contains the digest. */
export async function validateDns(
  { identifier, authorization }: Validation,
  network: ValidationNetwork,
): Promise<void> {
  const name = dnsChallengeName(identifier.value);
  let found: readonly string[];
  try {
    found = await network.resolveText(name);
  } catch (error) {
    throw problem('dns', `TXT lookup for ${name} failed: ${(error as Error).message}`);
  }
  // The DNS name may also have TXT records from other clients or earlier attempts.
  if (!found.includes(dnsChallengeValue(authorization)))
    throw problem(
      'incorrectResponse',
      `none of the ${found.length} TXT records of ${name} matches the key authorization`,
    );
}
