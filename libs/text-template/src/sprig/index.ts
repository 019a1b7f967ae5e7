/** The sprig functions that Caddy supports, by name. README.md lists the functions that this package excludes. */
import type { TemplateFunction } from '../functions/declare.ts';
import { conversions } from './convert.ts';
import { crypto } from './crypto.ts';
import { dates } from './dates.ts';
import { defaults } from './defaults.ts';
import { encodings } from './encoding.ts';
import { environment } from './environment.ts';
import { json } from './json.ts';
import { lists } from './lists.ts';
import { maps } from './maps.ts';
import { numerics } from './numeric.ts';
import { paths } from './paths.ts';
import { randoms } from './random.ts';
import { reflections } from './reflection.ts';
import { regexes } from './regex.ts';
import { versions } from './semver.ts';
import { strings } from './strings.ts';
import { urls } from './urls.ts';

/** All sprig functions. `slice` overrides the built-in function of the same name. */
export const sprig: Readonly<Record<string, TemplateFunction>> = {
  ...conversions,
  ...crypto,
  ...dates,
  ...defaults,
  ...encodings,
  ...environment,
  ...json,
  ...lists,
  ...maps,
  ...numerics,
  ...paths,
  ...randoms,
  ...reflections,
  ...regexes,
  ...strings,
  ...urls,
  ...versions,
};
