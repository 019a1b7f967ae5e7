/** `semver` and `semverCompare`. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { text } from '../functions/parameters.ts';
import { parseConstraint } from './constraint.ts';
import { Version } from './version.ts';

export const versions: Readonly<Record<string, TemplateFunction>> = {
  semver: declare([text], (value) => Version.parse(value)),
  semverCompare: declare([text, text], (constraint, value) => parseConstraint(constraint)(Version.parse(value))),
};
