/** The middleware `headers`: custom fields, security fields and CORS. */
import type { Json, JsonObject } from '@sluice/base';
import { literal } from '../../common/text.ts';
import { cors } from './cors.ts';
import type { LabelOptions } from './labels.ts';

/** Response header fields, keyed by the option that sets their value. */
const securityFields: Readonly<Record<string, string>> = {
  customframeoptionsvalue: 'X-Frame-Options',
  custombrowserxssvalue: 'X-XSS-Protection',
  contentsecuritypolicy: 'Content-Security-Policy',
  contentsecuritypolicyreportonly: 'Content-Security-Policy-Report-Only',
  referrerpolicy: 'Referrer-Policy',
  permissionspolicy: 'Permissions-Policy',
};

export function headers(options: LabelOptions): readonly JsonObject[] {
  const request = changesOf({
    ...Object.fromEntries(requestFields(options).filter(([name]) => !isHost(name))),
    ...options.map('headers.sslproxyheaders.'),
  });
  const fields: Record<string, string> = {};
  if (options.boolean('headers.framedeny') === true) fields['X-Frame-Options'] = 'DENY';
  if (options.boolean('headers.contenttypenosniff') === true) fields['X-Content-Type-Options'] = 'nosniff';
  if (options.boolean('headers.browserxssfilter') === true) fields['X-XSS-Protection'] = '1; mode=block';
  for (const [option, field] of Object.entries(securityFields)) {
    const value = options.text(`headers.${option}`);
    if (value !== undefined && value !== '') fields[field] = value;
  }
  const response = changesOf({ ...fields, ...options.map('headers.customresponseheaders.') });
  return [
    ...allowedHosts(options),
    ...cors(options),
    ...(Object.keys(request).length === 0 ? [] : [{ handler: 'headers', request }]),
    ...(Object.keys(response).length === 0 ? [] : [{ handler: 'headers', response: { ...response, deferred: true } }]),
    ...strictTransport(options),
  ];
}

/** Returns the custom request field `Host`. The proxy sets it, so that `X-Forwarded-Host` contains the original host. */
export function upstreamHost(options: LabelOptions): string | undefined {
  return requestFields(options).find(([name, value]) => isHost(name) && value !== '')?.[1];
}

function requestFields(options: LabelOptions): readonly (readonly [name: string, value: string])[] {
  return Object.entries(options.map('headers.customrequestheaders.'));
}

function isHost(name: string): boolean {
  return name.toLowerCase() === 'host';
}

/** Returns handlers that reject requests whose host is not in `allowedhosts`. */
function allowedHosts(options: LabelOptions): readonly JsonObject[] {
  const hosts = options.list('headers.allowedhosts');
  if (hosts.length === 0) return [];
  const others = [{ not: [{ host: hosts.map((host) => literal(host.toLowerCase())) }] }];
  return [{ handler: 'subroute', routes: [{ match: others, handle: [{ handler: 'error', status_code: 500 }] }] }];
}

/** Converts custom fields to operations. An empty value deletes the field. */
function changesOf(fields: Readonly<Record<string, string>>): JsonObject {
  const all = Object.entries(fields);
  const set = all.filter(([, value]) => value !== '').map(([name, value]) => [name, [literal(value)]] as const);
  const deleted = all.filter(([, value]) => value === '').map(([name]) => name);
  return {
    ...(set.length === 0 ? {} : { set: Object.fromEntries(set) as Record<string, Json> }),
    ...(deleted.length === 0 ? {} : { delete: deleted }),
  };
}

function strictTransport(options: LabelOptions): readonly JsonObject[] {
  const seconds = options.integer('headers.stsseconds') ?? 0;
  const subdomains = options.boolean('headers.stsincludesubdomains') === true ? '; includeSubDomains' : '';
  const preload = options.boolean('headers.stspreload') === true ? '; preload' : '';
  const isForced = options.boolean('headers.forcestsheader') === true;
  if (seconds <= 0) return [];
  const set = { 'Strict-Transport-Security': [`max-age=${seconds}${subdomains}${preload}`] };
  const handle = [{ handler: 'headers', response: { set, deferred: true } }];
  return isForced ? handle : [{ handler: 'subroute', routes: [{ match: [{ protocol: 'https' }], handle }] }];
}
