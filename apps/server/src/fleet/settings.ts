/** Fleet settings of this machine. They come from the command line or from `admin.fleet`. */
import { hostname } from 'node:os';
import { expandRequired, isArray, isObject, own, SluiceError, type Json, type JsonObject } from '@sluice/base';
import { fleetAddresses } from '@sluice/fleet/register';
import type { Registry } from '@sluice/registry';
import type { FleetFlags } from '../run-options.ts';

export interface FleetIdentity {
  readonly member: string;
  readonly labels: readonly string[];
}

export interface FleetSettings extends FleetIdentity {
  readonly cluster: string;
  /** Options of the store module. The property `engine` contains the module's name. */
  readonly store: JsonObject;
}

/** Reports whether the flags or the document configure a fleet. */
export function namesFleet({ fleet }: FleetFlags, document: Json): boolean {
  return fleet !== undefined || own(sectionOf(document), 'store') !== undefined;
}

/** Returns the fleet settings. Throws ERR_FLEET_SETTINGS if they are invalid. */
export function fleetSettings(flags: FleetFlags, document: Json, registry: Registry): FleetSettings {
  const section = sectionOf(document);
  const store = own(section, 'store');
  const cluster = own(section, 'cluster');
  const identity = fleetIdentity(flags, document);
  if (flags.fleet !== undefined) return { ...identity, ...parseAddress(flags.fleet, registry) };
  if (store === undefined || !isObject(store)) throw unusable('admin.fleet.store is missing');
  return { ...identity, cluster: typeof cluster === 'string' && cluster !== '' ? cluster : 'sluice', store };
}

/** Returns this machine's identity in the fleet: its member name and labels. */
function fleetIdentity({ fleetMember, fleetLabel }: FleetFlags, document: Json): FleetIdentity {
  const section = sectionOf(document);
  const [member, labels] = [own(section, 'member'), own(section, 'labels')];
  const name = fleetMember ?? (typeof member === 'string' && member !== '' ? expandRequired(member) : hostname());
  if (!/^[\w.:-]{1,100}$/.test(name))
    throw unusable(`invalid member name ${JSON.stringify(name)}; use 1 to 100 letters, digits, and any of _ . : -`);
  const listed = labels !== undefined && isArray(labels) ? labels : [];
  return { member: name, labels: fleetLabel ?? listed.map((label) => expandRequired(String(label))) };
}

function parseAddress(text: string, registry: Registry): Pick<FleetSettings, 'cluster' | 'store'> {
  const [, scheme, credentials, hosts, path, query] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^@/]*)@)?([^/?#]*)\/([^?#]*)(?:\?([^#]*))?$/i.exec(text) ?? [];
  const usage = 'the format is etcd://10.0.0.1:2379,10.0.0.2:2379/production';
  // Mask credentials, because they must not appear in error messages, even if the address is invalid.
  const shown = text.replace(/\/\/.*@/, '//***@').replace(/\?.*/, '');
  if (scheme === undefined || hosts === undefined || hosts === '' || path === undefined || path === '')
    throw unusable(`--fleet ${shown}: expected hosts and a cluster; ${usage}`);
  const schemes = registry.contributions(fleetAddresses);
  const address = schemes.get(scheme.toLowerCase());
  if (address === undefined)
    throw unusable(
      `--fleet ${shown}: unsupported store ${scheme}://; supported stores are ${[...schemes.keys()].join(', ')}`,
    );
  const [user, password] = (credentials ?? '').split(':').map(decoded);
  return {
    cluster: decoded(path),
    store: {
      ...withOptions(address.options, new URLSearchParams(query ?? '')),
      engine: address.engine,
      endpoints: hosts.split(','),
      ...(user === undefined || user === '' ? {} : { username: user }),
      ...(password === undefined ? {} : { password }),
    },
  };
}

/** Parses store options from a query string. `tls.ca=/etc/ca.pem` sets the key `ca` of the object `tls`. */
function withOptions(options: JsonObject, query: URLSearchParams): JsonObject {
  const all: { [name: string]: Json } = { ...options };
  for (const [key, value] of query) {
    const [name = '', inner] = key.split('.');
    const object = own(all, name);
    if (inner === undefined) all[name] = value;
    else all[name] = { ...(object !== undefined && isObject(object) ? object : {}), [inner]: value };
  }
  return all;
}

/** Percent-decodes a part of an address. Returns invalid encodings unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sectionOf(document: Json): JsonObject {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const fleet = admin !== undefined && isObject(admin) ? own(admin, 'fleet') : undefined;
  return fleet !== undefined && isObject(fleet) ? fleet : {};
}

function unusable(message: string): SluiceError {
  return new SluiceError('ERR_FLEET_SETTINGS', message, { status: 409 });
}
