/** Source locations of values in an active or tested document. Error messages show the location next to the configuration path. */
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

/** A text that an adapter has parsed. */
export interface SourceText {
  /** File name. `null` if the adapter generated the name, which means that this is the main file rather than an imported one. */
  readonly file: string | null;
  readonly text: string;
}

/**
 * Source locations of an adapted document. When clients change individual values, the changed values lose their locations, and all others
 * keep them.
 */
export class DocumentSources {
  readonly #adapted: Json;
  readonly #sources: ConfigSources;
  readonly #text: SourceText | null;

  /** `adapted` is the adapter's original result, and `text` is the adapter's input. */
  constructor(adapted: Json, sources: ConfigSources, text: SourceText | null = null) {
    this.#adapted = adapted;
    this.#sources = sources;
    this.#text = text;
  }

  /** Returns the location of a value in `document`, or of its closest ancestor. Returns `null` if the value doesn't come from a source file. */
  placeOf(path: ConfigPath, document: Json): SourcePlace | null {
    let there = path;
    while (getAt(this.#adapted, there) === undefined) there = there.slice(0, -1);
    const same = jsonEqual(getAt(this.#adapted, there), getAt(document, there));
    return same ? this.#sources.placeOf(there) : null;
  }

  /** Returns all source locations, by JSON Pointer. */
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

  /** Returns the source location as text for a configuration path in a message. */
  textOf(where: string, document: Json): string | null {
    const path = parseWhere(where);
    const place = path === null ? null : this.placeOf(path, document);
    return place === null ? null : formatPlace(place);
  }

  /** Adds the source location to an error, if it is known: `apps.http.servers.srv0.routes[0] (Caddyfile:12): …`. */
  inError(error: unknown, document: Json): unknown {
    if (!isSluiceError(error) || error.where === null) return error;
    const place = this.textOf(error.where, document);
    if (place === null) return error;
    const message = error.message.slice(`${error.where}: `.length);
    return new SluiceError(error.code, message, { where: error.where, place, status: error.status, cause: error });
  }

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

  /** Removes the findings that comments in source files suppress. The findings must have source locations. */
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

  /** Adds source locations to the modules and findings in a report. */
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

/** Reads an imported file. Returns an empty string if the file no longer exists. In that case, the comments in it are ignored. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
