/** The module `dns.providers.route53`, which uses Amazon Route 53. */
import { parseDuration } from '@sluice/base';
import { dnsProviders } from '@sluice/contracts';
import { boolean, defineModule, duration, integer, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { optionalOption } from '../common/options.ts';
import type { CredentialOptions } from './credentials.ts';

const defaultMaxWait = 60_000;
const defaultAttempts = 5;

/** Returns the API host and signing region for the AWS partition that contains a region. */
function partitionOf(region: string): { readonly host: string; readonly region: string } {
  if (region.startsWith('cn-')) return { host: 'route53.amazonaws.com.cn', region: 'cn-northwest-1' };
  if (region.startsWith('us-gov-')) return { host: 'route53.us-gov.amazonaws.com', region: 'us-gov-west-1' };
  return { host: 'route53.amazonaws.com', region: 'us-east-1' };
}

/** The Route 53 client is loaded, and connects, on first use. */
export const route53Module = defineModule(dnsProviders, {
  name: 'route53',
  help: 'DNS provider for Amazon Route 53 public hosted zones.',
  config: options({
    access_key_id: string(
      'Access key ID, such as `{env.AWS_ACCESS_KEY_ID}`. Default: credentials from the environment, a profile, or the role of the EC2 instance or container.',
    ),
    secret_access_key: string('Secret access key, such as `{env.AWS_SECRET_ACCESS_KEY}`.'),
    session_token: string('Session token for temporary credentials.'),
    profile: string('Profile in `~/.aws/credentials` and `~/.aws/config`. Default: `default`.'),
    region: string(
      'AWS region, which determines the AWS partition: `cn-…`, `us-gov-…`, or any other. Default: `us-east-1`.',
    ),
    hosted_zone_id: string('ID of the hosted zone. Default: look up the zone by name.'),
    max_retries: integer('Maximum number of attempts per request, including the first. Default: 5.', { minimum: 0 }),
    wait_for_route53_sync: boolean('Wait until a change has propagated to all Route 53 servers. Default: false.'),
    skip_route53_sync_on_delete: boolean(
      'Do not wait after records are removed. Applies only if `wait_for_route53_sync` is set.',
    ),
    route53_max_wait: duration('Timeout for `wait_for_route53_sync`. Default: 1 minute.'),
    debug_logging: boolean("Accepted but ignored: use the server's log level."),
  }),
  async provision(config, context) {
    const read = (name: 'access_key_id' | 'secret_access_key' | 'session_token' | 'profile'): string =>
      optionalOption(config[name], context, name);
    const credentials: CredentialOptions = {
      accessKeyId: read('access_key_id'),
      secretAccessKey: read('secret_access_key'),
      sessionToken: read('session_token'),
      profile: read('profile'),
    };
    if ((credentials.accessKeyId === '') !== (credentials.secretAccessKey === ''))
      throw context.error('access_key_id and secret_access_key must be set together', 'access_key_id');
    const { host, region } = partitionOf(optionalOption(config.region, context, 'region'));
    const { secretAccessKey, sessionToken } = credentials;
    const api = new Api(
      { name: 'route53', base: `https://${host}`, headers: {}, secrets: [secretAccessKey, sessionToken] },
      context,
    );
    const { route53Provider } = await import('./route53.ts');
    const { MachineCredentials } = await import('./metadata.ts');
    const apiOf = (base: string): Api => new Api({ name: 'route53', base, headers: {}, secrets: [] }, context);
    return route53Provider({
      api,
      host,
      region,
      credentials,
      machine: new MachineCredentials(apiOf),
      zoneId: optionalOption(config.hosted_zone_id, context, 'hosted_zone_id').replace(/^\/hostedzone\//, ''),
      attempts: config.max_retries || defaultAttempts,
      waitForChanges: config.wait_for_route53_sync === true,
      waitForRemovals: config.skip_route53_sync_on_delete !== true,
      maxWait: parseDuration(config.route53_max_wait ?? 0) || defaultMaxWait,
    });
  },
});
