/** Where the values of a document in force, or of one that is tried, were written: messages say it beside the path. */
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
import type { Finding } from '@sluice/registry';
import { valueAt } from '../document/tree.ts';
import type { BuildReport, ReportedModule } from '../reconcile/report.ts';

/**
 * The sources of a document that an adapter made. They are kept while clients change single values of it: what has been
 * changed since does not come from the file any more.
 */
export class DocumentSources {
  readonly #adapted: Json;
  readonly #sources: ConfigSources;

  /** `adapted` is the document as the adapter made it. */
  constructor(adapted: Json, sources: ConfigSources) {
    this.#adapted = adapted;
    this.#sources = sources;
  }

  /** Where a value of `document` was written, or what is around it where there is none; `null` if it is not from there. */
  placeOf(path: ConfigPath, document: Json): SourcePlace | null {
    let there = path;
    while (valueAt(this.#adapted, there) === undefined) there = there.slice(0, -1);
    const same = jsonEqual(valueAt(this.#adapted, there), valueAt(document, there));
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
      warnings: this.inFindings(warnings, document),
    };
  }
}
