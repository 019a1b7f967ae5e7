/** State of a site's `tls` directive during parsing. */
import {
  compact,
  Draft,
  listAt,
  objectAt,
  tlsPiles,
  type CertificateLoaderConfig,
  type ConfigValue,
  type DirectiveReader,
  type IssuerConfig,
} from '@sluice/caddyfile';
import { isObject, type JsonObject } from '@sluice/base';

const tagCounter = 'certificate tags';

/** Collects the options of a `tls` directive. {@link finish} adds them to the site's configuration values. */
export class TlsDraft extends Draft {
  /** Names of DNS challenge options in source order. These options require a DNS provider. */
  readonly dnsOptions: string[] = [];
  readonly #values: ConfigValue[] = [];
  certificate: { readonly certificate: string; readonly key: string } | null = null;
  isInternal = false;
  acmeIssuers: readonly IssuerConfig[] = [];
  email = '';

  add(pile: string, value: unknown): void {
    this.#values.push({ pile, value });
  }

  /** Returns all configuration values. Errors refer to the end of the directive. */
  finish(reader: DirectiveReader): readonly ConfigValue[] {
    const { acme, dns, issuers, load_folders: folders, ...others } = this.fields;
    const { key_type, renewal_window_ratio, reuse_private_keys, on_demand, get_certificate, ...policy } = others;
    this.#checkDns(objectAt(dns, []), reader);
    const explicit = listAt(issuers, []);
    const implicit = this.#implicitIssuers(objectAt(acme, []), isObject(dns) ? dns : null, explicit.length > 0, reader);
    for (const issuer of [...explicit, ...implicit]) this.add(tlsPiles.issuer, issuer);
    for (const manager of listAt(get_certificate, [])) this.add(tlsPiles.manager, manager);
    for (const folder of listAt(folders, [])) this.#load({ loader: 'load_folders', item: folder });
    const tag = this.certificate === null ? null : this.#loadCertificate(this.certificate, reader);
    if (key_type !== undefined) this.add(tlsPiles.keyType, key_type);
    if (renewal_window_ratio !== undefined) this.add(tlsPiles.renewalWindowRatio, renewal_window_ratio);
    if (reuse_private_keys !== undefined) this.add(tlsPiles.reusePrivateKeys, true);
    if (on_demand !== undefined) this.add(tlsPiles.onDemand, true);
    const selection = tag === null ? {} : { certificate_selection: { any_tag: [tag] } };
    this.add(tlsPiles.connectionPolicy, { ...policy, ...selection });
    return this.#values;
  }

  #checkDns(dns: JsonObject, reader: DirectiveReader): void {
    if (this.dnsOptions.length === 0 || dns['provider'] !== undefined) return;
    const { options } = reader;
    if (options.has('dns') || options.has('acme_dns')) return;
    throw reader.error(
      `setting DNS challenge options [${this.dnsOptions.join(', ')}] requires a DNS provider (set with the 'dns' subdirective or 'acme_dns' global option)`,
    );
  }

  /** Returns the default issuers for an email address. Adds `fields` to one ACME issuer. */
  #implicitIssuers(
    fields: JsonObject,
    dns: JsonObject | null,
    hasExplicit: boolean,
    reader: DirectiveReader,
  ): readonly IssuerConfig[] {
    const changed = Object.keys(fields).length > 0 || dns !== null;
    const acme = changed || this.email !== '';
    if (hasExplicit && (acme || this.isInternal)) {
      throw reader.error(
        'cannot mix issuer subdirective (explicit issuers) with other issuer-specific subdirectives (implicit issuers)',
      );
    }
    if (acme && this.isInternal) throw reader.error('cannot create both ACME and internal certificate issuers');
    if (this.isInternal) return [{ module: 'internal' }];
    if (!acme) return [];
    // A site that only adds options starts with the issuers from the global option `cert_issuer`.
    const named = (reader.options.get<readonly IssuerConfig[]>('cert_issuer') ?? []).filter(
      ({ module }) => module === 'acme',
    );
    if (!changed && named.length === 0) return this.acmeIssuers;
    const challenges = dns === null ? {} : { challenges: { dns } };
    const options: JsonObject = { ...compact({ email: this.email }), ...fields, ...challenges };
    // If the directive specifies a CA, no other issuer is used.
    const defaultIssuers = fields['ca'] === undefined && this.email !== '' ? this.acmeIssuers : [{ module: 'acme' }];
    const bases = named.length > 0 ? named : defaultIssuers;
    return bases.map((base) => ({ ...base, ...options, module: 'acme' }));
  }

  #load(loader: CertificateLoaderConfig): void {
    this.add(tlsPiles.loader, loader);
  }

  /** Loads a certificate from files and tags it, so that the site's connection policy can select it. The same files always get the same tag. */
  #loadCertificate(pair: { readonly certificate: string; readonly key: string }, { options }: DirectiveReader): string {
    const known = options.get<Map<string, string>>(tagCounter) ?? new Map<string, string>();
    options.set(tagCounter, known);
    const found = known.get(pair.certificate);
    const tag = found ?? `cert${known.size}`;
    known.set(pair.certificate, tag);
    if (found === undefined) this.#load({ loader: 'load_files', item: { ...pair, tags: [tag] } });
    return tag;
  }
}
