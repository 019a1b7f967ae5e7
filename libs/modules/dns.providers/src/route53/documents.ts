/** Creates and parses XML documents of the Route 53 API (version 2013-04-01). */
import { escapeXml } from '@sluice/base';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { relativeName } from '../common/names.ts';
import { quotedText, unquotedText, type RecordSet } from '../common/records.ts';

export interface HostedZone {
  /** Zone ID without the prefix `/hostedzone/`. */
  readonly id: string;
  /** Zone name, including its trailing dot. */
  readonly name: string;
  readonly isPrivate: boolean;
}

export interface RecordSetPage {
  readonly sets: readonly RecordSet[];
  /** Request parameters for the next page. `null` on the last page. */
  readonly next: Readonly<Record<string, string>> | null;
}

export function hostedZonesIn(text: string): readonly HostedZone[] {
  return elements(parseXml(text).root, 'HostedZones', 'HostedZone').map((zone) => ({
    id: textOf(zone, 'Id').replace(/^\/hostedzone\//, ''),
    name: textOf(zone, 'Name'),
    isPrivate: textOf(elements(zone, 'Config')[0], 'PrivateZone') === 'true',
  }));
}

export function recordSetsIn(text: string, zone: string): RecordSetPage {
  const { root } = parseXml(text);
  const sets = elements(root, 'ResourceRecordSets', 'ResourceRecordSet').map((set): RecordSet => {
    const type = textOf(set, 'Type');
    const values = elements(set, 'ResourceRecords', 'ResourceRecord').map((record) => textOf(record, 'Value'));
    return {
      name: relativeName(plainName(textOf(set, 'Name')), zone),
      type,
      ttl: Number(textOf(set, 'TTL')) * 1000,
      values: type === 'TXT' ? values.map(unquotedText) : values,
    };
  });
  if (textOf(root, 'IsTruncated') !== 'true') return { sets, next: null };
  const next = { name: textOf(root, 'NextRecordName'), type: textOf(root, 'NextRecordType') };
  const identifier = textOf(root, 'NextRecordIdentifier');
  return { sets, next: identifier === '' ? next : { ...next, identifier } };
}

/** Returns the ID and status of a change request. */
export function changeIn(text: string): { readonly id: string; readonly status: string } {
  const [change] = elements(parseXml(text).root, 'ChangeInfo');
  return { id: textOf(change, 'Id').replace(/^\/change\//, ''), status: textOf(change, 'Status') };
}

/** Returns the XML document that changes a record set. `name` is the fully qualified name. */
export function changeDocument(
  action: 'UPSERT' | 'DELETE',
  name: string,
  { type, values }: RecordSet,
  ttl: number,
): string {
  const records = values
    .map(
      (value) =>
        `<ResourceRecord><Value>${escapeXml(type === 'TXT' ? quotedText(value) : value)}</Value></ResourceRecord>`,
    )
    .join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>${action}</Action><ResourceRecordSet><Name>${escapeXml(name)}.</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${records}</ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;
}

/** Decodes Route 53's octal escapes in a name, such as `\052` for an asterisk. */
function plainName(name: string): string {
  return name.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function elements(element: XmlElement | null | undefined, ...path: readonly string[]): XmlElement[] {
  const [name, ...rest] = path;
  const children = element?.children ?? [];
  const found = children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
  return rest.length === 0 ? found : found.flatMap((each) => elements(each, ...rest));
}

function textOf(element: XmlElement | null | undefined, name: string): string {
  return elements(element, name)[0]?.text ?? '';
}
