/** The `admin` configuration section, which sets the listen address and access control of the admin API. */
import {
  apps,
  boolean,
  choice,
  defineModule,
  duration,
  inlineModule,
  inlineModules,
  list,
  namespace,
  options,
  string,
  strings,
  structure,
  type Context,
  type Options,
  type Segment,
} from '@sluice/registry';
import { configLoaders, identityProvision, serverIdentity, type ServerIdentity } from '@sluice/contracts';
import { parseDuration, type Json, type JsonObject } from '@sluice/base';
import type { Access } from './access/access.ts';
import { certificateAccess, loadOpenAccess, tokenAccess } from './access/provision.ts';
import { parseAdminAddress } from './endpoint/address.ts';
import { checkFleet, fleetOptions } from './fleet-options.ts';
import type { PullPlan } from './loading/puller.ts';
import type { EndpointSettings, PreparedEndpoint } from './endpoint/endpoint.ts';
import { adminEndpoint, configPuller, remoteEndpoint } from './service-tokens.ts';

const certificateIssuers = namespace<object>('tls.issuance');

const persistence = options({
  persist: boolean('Save each applied configuration for `sluice run --resume`.', { default: true }),
  load: inlineModule('Module that pulls the next configuration after this one is applied.', configLoaders, 'module'),
  load_delay: duration('Delay before each pull. Default: pull once, immediately.'),
});

const identity = options({
  identifiers: strings("Names and IP addresses to include in the server's certificate."),
  issuers: inlineModules("Issuers of the server's certificate.", certificateIssuers, 'module'),
});

const refusedPlaceholders = strings(
  'Placeholders to reject in changed values: `file` rejects `{file.*}`; `*` rejects all placeholders.',
  { examples: [['file', 'env']] },
);

const permission = options({
  paths: strings('Allowed paths, including their subpaths. Default: all.'),
  methods: strings('Allowed request methods. Default: all.'),
  refuse_placeholders: refusedPlaceholders,
});

const token = options({
  name: string('Unique name shown in logs and in the history.', { examples: ['deploy'] }),
  hash: string('Hash of the secret, as printed by `sluice token`: `sha256:` and 64 hexadecimal digits.'),
  expires: string('Expiration time, such as `2027-01-31T00:00:00Z`. Default: never.'),
  permissions: list(
    'Permissions. A request is allowed if at least one permission allows it. Default: full access.',
    options({
      methods: strings('Allowed request methods. Default: all.', { examples: [['GET', 'PATCH']] }),
      paths: strings('Allowed API paths, including their subpaths. Default: all, unless `ids` is set.', {
        examples: [['/config/apps/http/servers/demo', '/metrics']],
      }),
      ids: strings('`@id` values of the configuration objects that can be accessed, including everything inside them.'),
      refuse_placeholders: refusedPlaceholders,
    }),
  ),
});

const policy = options({
  name: string('Name to show in error messages. Default: the index of the policy in the list.', { examples: ['shop'] }),
  paths: strings('Configuration paths that the policy applies to, including their subpaths. Default: everything.', {
    examples: [['/apps/http/servers/shop']],
  }),
  approval: boolean('Changes must be proposed with `POST /proposals` and approved with a different token.'),
  confirmation: boolean('Changes must be confirmed (`?confirm_within`) or rolled out in stages (`?rollout`).'),
  rollout: string(
    'Minimum rollout plan. For each stage in this list, the `?rollout` plan of a change must contain a stage with the same or a smaller share of clients, and with the same or a longer duration. The stages must be in the same order.',
    { examples: ['10%,50%,all;hold=60s'] },
  ),
  same_except_hosts: strings(
    'Hosts whose requests a change may affect. For all other hosts, recorded and generated requests must be handled the same way as before the change. Empty list = the change must not affect any host.',
    { examples: [['shop.example.com', '*.shop.example.com']] },
  ),
  tests: strings(
    'Test files that must pass with the changed configuration: paths or glob patterns on this server, in the format of `sluice test`. Relative paths are resolved against the working directory of the server.',
    { examples: [['/etc/sluice/tests/shop.yaml', '/etc/sluice/tests/*.sluice-test.yaml']] },
  ),
});

const remote = options({
  listen: string('Listen address of the remote endpoint.', { default: ':2021' }),
  access_control: list(
    'Access control rules, which grant permissions to client certificates.',
    options({
      public_keys: strings('Client certificates that the rule applies to, as base64-encoded DER.'),
      permissions: list('Permissions. Default: full access.', permission),
    }),
  ),
});

const adminOptions = options({
  disabled: boolean(
    'Disable the admin endpoint. The configuration can then be changed only by restarting the server or sending it a signal.',
    { default: false },
  ),
  listen: string(
    'Listen address: `host:port` or `unix//path|mode`. Default: the value of the SERVER_ADMIN environment variable if it is set, otherwise localhost:2019.',
    {
      examples: ['localhost:2019', 'unix//run/sluice.sock|0220'],
    },
  ),
  enforce_origin: boolean(
    'Require an allowed `Origin` header field in every request, including requests from clients that are not browsers.',
    {
      default: false,
    },
  ),
  origins: strings(
    'Allowed origins, as `[scheme://]host[:port]`. Their hosts are also the allowed values of the `Host` header field. Default: the addresses in `listen`.',
  ),
  config: structure('Settings for saving and loading configurations.', persistence),
  ui: boolean('Serve the dashboard at `/ui/`.', { default: true }),
  tokens: list(
    'Bearer tokens. If set, every request must present one of the tokens. If not set, only the listen address restricts access to the endpoint.',
    token,
  ),
  policies: list(
    'Conditions for changes through the admin API. Changes to policies, tokens and remote access must meet the conditions of all policies. Clients with full access can bypass policies by sending the `Sluice-Override: REASON` header field; the reason is logged.',
    policy,
  ),
  external_reads: choice(
    'Clients that may read files and environment variables of this machine through the API: `unrestricted` (clients with full access), `all` or `none`. Applies to configurations to adapt (`import`, `include`, `{$NAME}`) and to explanations (`{file.*}`, `{env.*}`). For other clients, adapting such a configuration fails, and explanations report such values as unknown.',
    ['unrestricted', 'all', 'none'],
    { default: 'unrestricted' },
  ),
  identity: structure('Identity of this server: the certificate that it presents to other machines.', identity),
  remote: structure('Remote endpoint for other machines, with mutual TLS.', remote),
  fleet: structure('Fleet that this server belongs to: several machines that share one configuration.', fleetOptions),
});

/**
 * The `admin` configuration section. In a server's control thread, this module moves the endpoint. It binds a new address before the
 * configuration becomes active, so a failure rejects the entire change. In other threads, it only validates the options.
 */
export const adminSection = defineModule<object, typeof adminOptions>(apps, {
  name: 'admin',
  help: 'Settings of the admin API: listen address, access control, and saving and loading configurations.',
  config: adminOptions,
  async provision(config, context) {
    if (config.disabled !== true) checkAddress(config.listen ?? '', context);
    const access = await tokenAccess(config.tokens ?? null, context, context.find(adminEndpoint)?.sessions);
    const policies = config.policies ?? [];
    if (policies.length > 0) (await import('./policies/check-options.ts')).checkPolicyOptions(policies, context);
    const identity = await provideIdentity(config, context);
    await pull(config.config ?? {}, context);
    if ((config.fleet ?? null) !== null) await checkFleet(config.fleet as Options<typeof fleetOptions>, context);
    await listenRemotely(config, identity, context);
    const endpoint = context.find(adminEndpoint);
    if (endpoint === undefined || !context.roles.control) return {};
    const settings = await settingsOf(config, access);
    let prepared: PreparedEndpoint | null = null;
    context.onStart(async () => {
      prepared = await endpoint.prepare(settings);
    });
    context.onCommit(() => {
      if (prepared !== null) endpoint.adopt(prepared);
    });
    context.onDispose(() => {
      if (prepared !== null) endpoint.discard(prepared);
    });
    return {};
  },
});

/** Provisions the server identity for other modules. Returns `null` if no identity is configured, or in threads that don't create one. */
async function provideIdentity(
  { identity: node, remote: wanted }: Options<typeof adminOptions>,
  context: Context,
): Promise<ServerIdentity | null> {
  const provision = context.find(identityProvision);
  if ((node ?? null) === null) {
    if ((wanted ?? null) === null) return null;
    throw context.error('requires an identity: configure admin.identity', 'remote');
  }
  if (provision === undefined || (context.roles.traffic && !context.roles.control)) return null;
  const identity = await context.structure(node as JsonObject, provision, 'identity');
  context.provide(serverIdentity, identity);
  return identity;
}

/** Manages the remote admin endpoint. It is bound and released together with the rest of the configuration. */
async function listenRemotely(
  { remote: wanted, ui, external_reads: externalReads }: Options<typeof adminOptions>,
  identity: ServerIdentity | null,
  context: Context,
): Promise<void> {
  const config = wanted ?? null;
  const access = config === null ? null : await certificateAccess(config.access_control ?? [], context);
  const listen = config?.listen || ':2021';
  if (config !== null) checkAddress(listen, context, 'remote');
  const endpoint = context.find(remoteEndpoint);
  if (endpoint === undefined || !context.roles.control) return;
  const settings: EndpointSettings = {
    disabled: access === null || identity === null,
    listen,
    enforceOrigin: false,
    origins: [],
    anyHost: true,
    ui: ui ?? true,
    externalReads: externalReads ?? 'unrestricted',
    access: access ?? (await loadOpenAccess()),
    secure: access === null || identity === null ? null : { identity, admits: (key) => access.admits(key) },
  };
  let prepared: PreparedEndpoint | null = null;
  let stop: (() => void) | undefined;
  context.onStart(async () => {
    prepared = await endpoint.prepare(settings);
  });
  context.onCommit(() => {
    if (prepared !== null) endpoint.adopt(prepared);
    stop = identity?.onChange(() => prepared?.binding?.refreshCertificate());
  });
  context.onRetire(() => stop?.());
  context.onDispose(() => {
    if (prepared !== null) endpoint.discard(prepared);
  });
}

/** Pulls configurations while this configuration is active. If no delay is configured, pulls immediately. */
async function pull({ load, load_delay: delay }: Options<typeof persistence>, context: Context): Promise<void> {
  if (load === null || load === undefined || (context.roles.traffic && !context.roles.control)) return;
  const loader = await context.loadInline(configLoaders, load, 'module', 'config', 'load');
  const plan: PullPlan = { loader, delay: Math.max(0, delayOf(delay ?? 0, context)) };
  const puller = context.find(configPuller);
  if (puller === undefined || !context.roles.control) return;
  let first: Json | undefined;
  context.onStart(async () => {
    if (plan.delay === 0) first = await puller.first(plan);
  });
  context.onCommit(() => puller.begin(plan, first));
  context.onRetire(() => puller.end(plan));
}

function delayOf(value: number | string, context: Context): number {
  try {
    return parseDuration(value);
  } catch (error) {
    throw context.error((error as Error).message, 'config', 'load_delay');
  }
}

async function settingsOf(
  {
    disabled,
    listen,
    enforce_origin: enforceOrigin,
    origins,
    ui,
    external_reads: externalReads,
  }: Options<typeof adminOptions>,
  access: Access | null,
): Promise<EndpointSettings> {
  return {
    disabled: disabled ?? false,
    listen: listen || null,
    enforceOrigin: enforceOrigin ?? false,
    origins: origins ?? null,
    anyHost: false,
    ui: ui ?? true,
    externalReads: externalReads ?? 'unrestricted',
    access: access ?? (await loadOpenAccess()),
    secure: null,
  };
}

function checkAddress(listen: string, context: Context, ...at: Segment[]): void {
  if (listen === '') return;
  try {
    parseAdminAddress(listen);
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'listen');
  }
}
