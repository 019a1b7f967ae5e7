/** Template functions `urlParse` and `urlJoin`, which represent URLs as dictionaries. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { map, text } from '../functions/parameters.ts';
import { reflectKind, type GoMap } from '../values/kind.ts';
import { mapGet, mapHas } from '../values/map.ts';
import { messageOf } from '../errors.ts';
import { hostName, joinUrl, parseUrl, type UrlParts } from './url-text.ts';

function urlParse(value: string): Map<string, string> {
  let parts: UrlParts;
  try {
    parts = parseUrl(value);
  } catch (error) {
    throw new Error(`unable to parse url: ${messageOf(error)}`, { cause: error });
  }
  return new Map([...Object.entries(parts), ['hostname', hostName(parts.host)]]);
}

function urlJoin(from: GoMap): string {
  const part = (name: keyof UrlParts): string => {
    const value = mapHas(from, name) ? mapGet(from, name) : '';
    if (typeof value === 'string') return value;
    throw new Error(`unable to parse ${name} key, must be of type string, but ${reflectKind(value)} found`);
  };
  return joinUrl({
    scheme: part('scheme'),
    opaque: part('opaque'),
    userinfo: userinfoOf(part('userinfo')),
    host: part('host'),
    path: part('path'),
    query: part('query'),
    fragment: part('fragment'),
  });
}

/** Validates user information by parsing a URL that contains it. */
function userinfoOf(value: string): string {
  if (value === '') return '';
  try {
    return parseUrl(`proto://${value}@host`).userinfo;
  } catch (error) {
    throw new Error(`unable to parse userinfo in dict: ${messageOf(error)}`, { cause: error });
  }
}

export const urls: Readonly<Record<string, TemplateFunction>> = {
  urlParse: declare([text], urlParse),
  urlJoin: declare([map], urlJoin),
};
