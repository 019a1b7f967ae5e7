/** The directive `tls` of a site while it is read. */
import {
  compact,
  Draft,
  tlsPiles,
  type CertificateLoaderConfig,
  type ConfigValue,
  type ConnectionPolicy,
  type DirectiveReader,
  type IssuerConfig,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

const tagCounter = 'certificate tags';

/** Collects options; {@link finish} puts them on the piles of the site. */
export class TlsDraft extends Draft {
  readonly policy: ConnectionPolicy = {};
  /** For terms that set fields of the connection policy. */
  readonly connection = new Draft(this.policy as Record<string, Json>);
  readonly explicit: IssuerConfig[] = [];
  readonly folders: string[] = [];
  readonly managers: Json[] = [];
  /** Options of DNS challenges in the order they were named, that need a provider. */
  readonly dnsOptions: string[] = [];
  readonly dns: Record<string, Json> = {};
  /** Options that make one issuer over ACME of those that the e-mail address stands for. */
  readonly acme: Record<string, Json> = {};
  readonly #values: ConfigValue[] = [];
  certificate: { readonly certificate: string; readonly key: string } | null = null;
  internal: Record<string, Json> | null = null;
  acmeIssuers: readonly IssuerConfig[] = [];
  email = '';
  onDemand = false;
  keyType = '';
  renewalWindowRatio: number | null = null;

  /** Adds a value to a pile. */
  add(pile: string, value: unknown): void {
    this.#values.push({ pile, value });
  }

  /** All values. Errors are at the end of the directive. */
  finish(reader: DirectiveReader): readonly ConfigValue[] {
    this.#checkDns(reader);
    const implicit = this.#implicitIssuers(reader);
    for (const issuer of [...this.explicit, ...implicit]) this.add(tlsPiles.issuer, issuer);
    for (const manager of this.managers) this.add(tlsPiles.manager, manager);
    for (const folder of this.folders) this.#load({ loader: 'load_folders', item: folder });
    if (this.certificate !== null) this.#loadCertificate(this.certificate, reader);
    if (this.keyType !== '') this.add(tlsPiles.keyType, this.keyType);
    if (this.renewalWindowRatio !== null) this.add(tlsPiles.renewalWindowRatio, this.renewalWindowRatio);
    if (this.onDemand) this.add(tlsPiles.onDemand, true);
    this.add(tlsPiles.connectionPolicy, this.policy);
    return this.#values;
  }

  #checkDns(reader: DirectiveReader): void {
    if (this.dnsOptions.length === 0 || this.dns['provider'] !== undefined) return;
    const { options } = reader;
    if (options.has('dns') || options.has('acme_dns')) return;
    throw reader.error(
      `setting DNS challenge options [${this.dnsOptions.join(', ')}] requires a DNS provider (set with the 'dns' subdirective or 'acme_dns' global option)`,
    );
  }

  #implicitIssuers(reader: DirectiveReader): readonly IssuerConfig[] {
    const changed = Object.keys(this.acme).length > 0 || Object.keys(this.dns).length > 0;
    const acme = changed || this.email !== '';
    if (this.explicit.length > 0 && (acme || this.internal !== null)) {
      throw reader.error(
        'cannot mix issuer subdirective (explicit issuers) with other issuer-specific subdirectives (implicit issuers)',
      );
    }
    if (acme && this.internal !== null) throw reader.error('cannot create both ACME and internal certificate issuers');
    if (this.internal !== null) return [{ ...this.internal, module: 'internal' }];
    if (!acme) return [];
    // Those that the global option names say what holds for sites that only say more of them.
    const named = (reader.options.get<readonly IssuerConfig[]>('cert_issuer') ?? []).filter(
      ({ module }) => module === 'acme',
    );
    if (!changed && named.length === 0) return this.acmeIssuers;
    const challenges = Object.keys(this.dns).length > 0 ? { challenges: { dns: this.dns } } : {};
    const options: JsonObject = { ...compact({ email: this.email }), ...this.acme, ...challenges };
    // An authority that is named is the only one.
    const usual = this.acme['ca'] === undefined && this.email !== '' ? this.acmeIssuers : [{ module: 'acme' }];
    const bases = named.length > 0 ? named : usual;
    return bases.map((base) => ({ ...base, ...options, module: 'acme' }));
  }

  #load(loader: CertificateLoaderConfig): void {
    this.add(tlsPiles.loader, loader);
  }

  /** Certificates of files get a tag, by which the connections of the site find them; the same files have the same. */
  #loadCertificate(pair: { readonly certificate: string; readonly key: string }, { options }: DirectiveReader): void {
    const known = options.get<Map<string, string>>(tagCounter) ?? new Map<string, string>();
    options.set(tagCounter, known);
    const found = known.get(pair.certificate);
    const tag = found ?? `cert${known.size}`;
    known.set(pair.certificate, tag);
    if (found === undefined) this.#load({ loader: 'load_files', item: { ...pair, tags: [tag] } });
    this.policy.certificate_selection = { any_tag: [tag] };
  }
}
