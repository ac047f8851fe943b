/**
 * Who hears of findings and how. Clients that pull get findings when they ask, the others get them pushed; what runs had to say, and what is
 * wrong with a lanewise.json, is pushed to both, because it concerns files that may not be open.
 */
import type { ClientCapabilities, Connection, Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver/node';
import type { Finding } from '../protocol/finding.ts';
import type { Analysis, Asking } from './analysis/analysis.ts';
import { toDiagnostic } from './convert.ts';
import type { OpenDocument } from './documents.ts';
import type { Language } from './language/language.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Runs } from './runs.ts';

interface DiagnosticSources {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly analysis: Analysis;
  readonly runs: Runs;
  readonly language: Language;
  readonly projects: ProjectFiles;
  /** Told of what should not happen. */
  readonly failed: (error: unknown) => void;
}

export class DiagnosticPublisher {
  private readonly connection: Connection;
  private readonly sources: DiagnosticSources;
  /** Files for which the client has something of ours, as JSON. */
  private readonly published = new Map<string, string>();
  private readonly waiting = new Set<string>();
  /** Files about which the analyzers are being asked; again afterwards where something has changed meanwhile. */
  private readonly asked = new Map<string, 'once' | 'again'>();
  private refreshes = false;
  pulled = false;

  constructor(connection: Connection, sources: DiagnosticSources) {
    this.connection = connection;
    this.sources = sources;
  }

  initialize(capabilities: ClientCapabilities): void {
    this.pulled = capabilities.textDocument?.diagnostic !== undefined;
    this.refreshes = capabilities.workspace?.diagnostics?.refreshSupport === true;
  }

  async pull(uri: string, previousResultId: string | undefined, asking: Asking): Promise<DocumentDiagnosticReport> {
    const found = await this.sources.analysis.findings(uri, previousResultId, asking);
    if (!found) return { kind: 'full', items: [] };
    const { resultId, findings } = found;
    if (!findings) return { kind: 'unchanged', resultId };
    return { kind: 'full', resultId, items: findings.map((finding) => toDiagnostic(finding, uri)) };
  }

  /** Keystrokes that wait in the queue together are answered once: the publishing comes after them. */
  changed(uri: string): void {
    if (this.waiting.size === 0) setImmediate(() => this.flush());
    this.waiting.add(uri);
  }

  /** After a run, or another look at the lanewise.json files. */
  othersChanged(): void {
    const { runs, projects } = this.sources;
    for (const uri of [...this.published.keys(), ...runs.diagnostics().byFile.keys(), ...projects.diagnostics().keys()]) this.changed(uri);
  }

  /** After a change of settings. */
  refresh(): void {
    for (const uri of this.sources.documents.keys()) this.changed(uri);
    if (this.pulled && this.refreshes) this.connection.languages.diagnostics.refresh();
  }

  /** More is known of a file that has not changed. */
  found(uri: string): void {
    this.changed(uri);
    if (this.pulled && this.refreshes) this.connection.languages.diagnostics.refresh();
  }

  private flush(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    // Who pulls gets findings otherwise: what else is said of a place needs them where the compiler has found something.
    const isAsked = (uri: string) => !this.pulled || (this.sources.documents.has(uri) && this.compiled(uri).length > 0);
    this.publish(waiting.filter((uri) => !isAsked(uri)).map((uri) => ({ uri, findings: [] })));
    for (const uri of waiting) if (isAsked(uri)) void this.ask(uri);
  }

  private async ask(uri: string): Promise<void> {
    if (this.asked.has(uri)) {
      this.asked.set(uri, 'again');
      return;
    }
    this.asked.set(uri, 'once');
    try {
      const found = await this.sources.analysis.findings(uri, undefined, { urgent: false });
      const findings = found?.findings ?? [];
      // About a text that is another one by now: what changed it asks again.
      if (found?.version === this.sources.documents.get(uri)?.version) this.publish([{ uri, findings }]);
    } catch (error) {
      this.sources.failed(error);
    }
    const again = this.asked.get(uri) === 'again';
    this.asked.delete(uri);
    if (again) this.changed(uri);
  }

  /** What the compiler and runs say. */
  private compiled(uri: string): readonly Diagnostic[] {
    const { runs, language } = this.sources;
    return [...(language.diagnostics().byFile.get(uri) ?? []), ...(runs.diagnostics().byFile.get(uri) ?? [])];
  }

  private publish(files: readonly { readonly uri: string; readonly findings: readonly Finding[] }[]): void {
    const { documents, projects } = this.sources;
    const ofProjects = projects.diagnostics();
    for (const { uri, findings } of files) {
      const own = this.pulled ? [] : findings.map((finding) => toDiagnostic(finding, uri));
      const compiled = withoutRemoved(withoutRepeats(this.compiled(uri)), findings);
      const diagnostics = [...own, ...compiled, ...(ofProjects.get(uri) ?? [])];
      const text = JSON.stringify(diagnostics);
      if (text === (this.published.get(uri) ?? '[]') && (this.pulled || this.published.has(uri))) continue;
      if (diagnostics.length > 0 || documents.has(uri)) this.published.set(uri, text);
      else this.published.delete(uri);
      void this.connection.sendDiagnostics({ uri, version: documents.get(uri)?.version, diagnostics });
    }
  }
}

/** Of a name that is no more, the rule says with its fix what the compiler says without. */
function withoutRemoved(diagnostics: readonly Diagnostic[], findings: readonly Finding[]): readonly Diagnostic[] {
  const told = new Set(
    findings
      .filter(({ rule }) => rule === 'removed-api')
      .flatMap(({ range, related }) => [range, ...related.map((place) => place.range)])
      .map(({ start }) => `${start.line}:${start.column}`),
  );
  return diagnostics.filter(({ source, range: { start } }) => source !== 'clang' || !told.has(`${start.line}:${start.character}`));
}

/** A compile error of a run is one of the text, too, as long as it is there. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ range, message }) => {
    const key = `${range.start.line}:${range.start.character} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
