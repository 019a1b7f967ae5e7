/** Where the values of a document in force, or of one that is tried, were written: messages say it beside the path. */
import { readFileSync } from 'node:fs';
import {
  formatPointer,
  isSluiceError,
  jsonEqual,
  parseWhere,
  SluiceError,
  type ConfigPath,
  type Json,
} from '@sluice/base';
import { formatPlace, type ConfigSources, type SourcePlace } from '@sluice/contracts';
import { isAbout, suppressionsIn, type Finding } from '@sluice/registry';
import { getAt } from '../document/tree.ts';
import type { BuildReport, ReportedModule } from '../reconcile/report.ts';

/** A text that an adapter has read. */
export interface SourceText {
  /** The name by which it is known; `null` where the adapter gave it one: then it is what is not imported from elsewhere. */
  readonly file: string | null;
  readonly text: string;
}

/**
 * The sources of a document that an adapter made. They are kept while clients change single values of it: what has been
 * changed since does not come from the file any more.
 */
export class DocumentSources {
  readonly #adapted: Json;
  readonly #sources: ConfigSources;
  readonly #text: SourceText | null;

  /** `adapted` is the document as the adapter made it, and `text` what it was made of. */
  constructor(adapted: Json, sources: ConfigSources, text: SourceText | null = null) {
    this.#adapted = adapted;
    this.#sources = sources;
    this.#text = text;
  }

  /** Where a value of `document` was written, or what is around it where there is none; `null` if it is not from there. */
  placeOf(path: ConfigPath, document: Json): SourcePlace | null {
    let there = path;
    while (getAt(this.#adapted, there) === undefined) there = there.slice(0, -1);
    const same = jsonEqual(getAt(this.#adapted, there), getAt(document, there));
    return same ? this.#sources.placeOf(there) : null;
  }

  /** The places of all values, by JSON pointer. */
  all(): Readonly<Record<string, SourcePlace>> {
    const places: Record<string, SourcePlace> = {};
    const walk = (value: Json, path: ConfigPath): void => {
      const place = this.#sources.placeOf(path);
      if (place !== null) places[formatPointer(path)] = place;
      if (typeof value !== 'object' || value === null) return;
      for (const [key, child] of Object.entries(value)) walk(child, [...path, key]);
    };
    walk(this.#adapted, []);
    return places;
  }

  /** The place of a value that a message calls `where`, as text. */
  textOf(where: string, document: Json): string | null {
    const path = parseWhere(where);
    const place = path === null ? null : this.placeOf(path, document);
    return place === null ? null : formatPlace(place);
  }

  /** An error that says where it was written, if that is known: `apps.http.servers.srv0.routes[0] (Caddyfile:12): …`. */
  inError(error: unknown, document: Json): unknown {
    if (!isSluiceError(error) || error.where === null) return error;
    const place = this.textOf(error.where, document);
    if (place === null) return error;
    const message = error.message.slice(`${error.where}: `.length);
    return new SluiceError(error.code, message, { where: error.where, place, status: error.status, cause: error });
  }

  /** Findings that say where what they are about was written. */
  inFindings(findings: readonly Finding[], document: Json): readonly Finding[] {
    const placed = <T extends { readonly path: string }>(each: T): T => {
      const path = parseWhere(each.path);
      const place = path === null ? null : this.placeOf(path, document);
      return place === null ? each : { ...each, source: formatPlace(place), place };
    };
    return findings.map((each) => {
      const { related } = each;
      return placed(related === undefined ? each : { ...each, related: related.map(placed) });
    });
  }

  /** Findings without those that comments of the files keep back. They have to say where they were written. */
  withoutSuppressed(findings: readonly Finding[]): readonly Finding[] {
    if (this.#text === null) return findings;
    const places = findings.flatMap(({ place }) => place ?? []);
    const main = this.#text.file ?? places.find(({ imported }) => imported === undefined)?.file;
    const files = new Set(places.flatMap(({ file, imported }) => [file, imported?.file ?? file]));
    const comments = [...files].flatMap((file) =>
      suppressionsIn(file === main ? (this.#text?.text ?? '') : textOf(file), file),
    );
    const meant = comments.filter(({ reason }) => reason !== '');
    return meant.length === 0 ? findings : findings.filter((each) => !meant.some((comment) => isAbout(comment, each)));
  }

  /** A report whose modules and findings say where they were written. */
  inReport(report: BuildReport, document: Json): BuildReport {
    const { kept, rebuilt, started, warnings } = report;
    const placed = (each: ReportedModule): ReportedModule => {
      const source = this.textOf(each.path, document);
      return source === null ? each : { ...each, source };
    };
    return {
      ...report,
      kept: kept.map(placed),
      rebuilt: rebuilt.map(placed),
      started: started.map(placed),
      warnings: this.withoutSuppressed(this.inFindings(warnings, document)),
    };
  }
}

/** What stands in a file that is imported. It may be gone by now: then its comments are as well. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
