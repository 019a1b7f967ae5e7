/** Parsed and validated options of an ACME server, including defaults. */
import { IdentifierPolicy, type ChallengeType, type RuleSet } from '@sluice/acme';
import { messageOf, parseDuration } from '@sluice/base';
import type { Context } from '@sluice/registry';
import type { AcmeServerOptions } from './options.ts';

/** Parsed {@link AcmeServerOptions}. */
export interface AcmeSettings {
  readonly lifetime: number;
  readonly challenges: readonly ChallengeType[];
  readonly policy: IdentifierPolicy | null;
  readonly resolvers: readonly string[];
  readonly signWithRoot: boolean;
}

/** Challenge types in the same order as in Caddy. */
const known: readonly ChallengeType[] = ['dns-01', 'http-01', 'tls-alpn-01'];

/** Parses the options of an ACME server. Errors contain the name of the invalid option. */
export function settingsOf(config: AcmeServerOptions, context: Context): AcmeSettings {
  const lifetime = parseDuration(config.lifetime ?? 0);
  if (lifetime < 0) throw context.error('must not be negative', 'lifetime');
  const chosen = config.challenges ?? [];
  for (const [index, each] of chosen.entries())
    if (!known.includes(each as ChallengeType))
      throw context.error(
        `${JSON.stringify(each)} is not a challenge type; supported: ${known.join(', ')}`,
        'challenges',
        index,
      );
  return {
    lifetime: lifetime === 0 ? 12 * 3_600_000 : lifetime,
    challenges: chosen.length === 0 ? known : known.filter((each) => chosen.includes(each)),
    policy: policyOf(config, context),
    resolvers: (config.resolvers ?? []).map(withoutNetwork),
    signWithRoot: config.sign_with_root ?? false,
  };
}

function policyOf({ policy }: AcmeServerOptions, context: Context): IdentifierPolicy | null {
  if (policy === null || policy === undefined) return null;
  try {
    return new IdentifierPolicy(rulesOf(policy.allow), rulesOf(policy.deny), policy.allow_wildcard_names ?? false);
  } catch (error) {
    throw context.error(messageOf(error), 'policy');
  }
}

type RulesOption = NonNullable<AcmeServerOptions['policy']>['allow'];

function rulesOf(rules: RulesOption): RuleSet | null {
  if (rules === null || rules === undefined) return null;
  return { domains: rules.domains ?? [], ranges: rules.ip_ranges ?? [] };
}

/** Removes the network prefix from a resolver address, such as `udp/` in `udp/1.1.1.1:53`. */
function withoutNetwork(resolver: string): string {
  return resolver.replace(/^(?:udp|tcp)\//, '');
}
