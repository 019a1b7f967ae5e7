/** Determines the external address of an Internet gateway (UPnP IGD, service WANIPConnection). */
import { isIP } from 'node:net';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { SluiceError } from '@sluice/base';
import { fetchText } from '../common/fetch-text.ts';

const service = /^urn:schemas-upnp-org:service:WAN(?:IP|PPP)Connection:\d+$/;

/** Returns the external address of a gateway. `description` is the gateway's description URL. */
export async function externalAddress(description: string, signal: AbortSignal): Promise<string> {
  const { root } = parseXml(await fetchText(description, { signal }));
  const base = root === null ? '' : textOf(root, 'URLBase');
  for (const each of root === null ? [] : elementsNamed(root, 'service')) {
    const type = textOf(each, 'serviceType');
    if (!service.test(type)) continue;
    const address = await ask(new URL(textOf(each, 'controlURL'), base || description).href, type, signal);
    if (isIP(address) !== 0) return address;
  }
  throw new SluiceError('ERR_DNS_PROVIDER', `the UPnP gateway ${description} has no external IP address`);
}

async function ask(url: string, type: string, signal: AbortSignal): Promise<string> {
  const body = `<?xml version="1.0"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body><u:GetExternalIPAddress xmlns:u="${type}"></u:GetExternalIPAddress></s:Body></s:Envelope>`;
  const headers = { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${type}#GetExternalIPAddress"` };
  const { root } = parseXml(await fetchText(url, { method: 'POST', headers, body, signal }));
  return root === null ? '' : textOf(root, 'NewExternalIPAddress').trim();
}

/** Returns all descendant elements with the given name. */
function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  const children = element.children.filter((child) => child instanceof XmlElement);
  return [
    ...children.filter((child) => child.name === name),
    ...children.flatMap((child) => elementsNamed(child, name)),
  ];
}

function textOf(element: XmlElement, name: string): string {
  return elementsNamed(element, name)[0]?.text.trim() ?? '';
}
