/**
 * Who hears of findings and how. Clients that pull get findings when they ask, the others get them pushed; what runs had to say, and what is
 * wrong with a lanewise.json, is pushed to both, because it concerns files that may not be open.
 */
import type { ClientCapabilities, Connection, Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver/node';
import { toDiagnostic } from './convert.ts';
import type { OpenDocument } from './documents.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Runs } from './runs.ts';

interface DiagnosticSources {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly runs: Runs;
  readonly projects: ProjectFiles;
}

export class DiagnosticPublisher {
  private readonly connection: Connection;
  private readonly documents: ReadonlyMap<string, OpenDocument>;
  private readonly runs: Runs;
  private readonly projects: ProjectFiles;
  /** Files for which the client has something of ours, as JSON. */
  private readonly published = new Map<string, string>();
  private readonly waiting = new Set<string>();
  private refreshes = false;
  pulled = false;

  constructor(connection: Connection, { documents, runs, projects }: DiagnosticSources) {
    this.connection = connection;
    this.documents = documents;
    this.runs = runs;
    this.projects = projects;
  }

  initialize(capabilities: ClientCapabilities): void {
    this.pulled = capabilities.textDocument?.diagnostic !== undefined;
    this.refreshes = capabilities.workspace?.diagnostics?.refreshSupport === true;
  }

  pull(uri: string, previousResultId: string | undefined): DocumentDiagnosticReport {
    const document = this.documents.get(uri);
    if (!document) return { kind: 'full', items: [] };
    const resultId = String(document.generation);
    if (resultId === previousResultId) return { kind: 'unchanged', resultId };
    return { kind: 'full', resultId, items: this.findings(uri) };
  }

  /** Keystrokes that wait in the queue together are answered once: the publishing comes after them. */
  changed(uri: string): void {
    if (this.waiting.size === 0) setImmediate(() => this.flush());
    this.waiting.add(uri);
  }

  /** After a run, or another look at the lanewise.json files. */
  othersChanged(): void {
    for (const uri of [...this.published.keys(), ...this.runs.diagnostics().byFile.keys(), ...this.projects.diagnostics().keys()])
      this.changed(uri);
  }

  /** After a change of settings. */
  refresh(): void {
    for (const uri of this.documents.keys()) this.changed(uri);
    if (this.pulled && this.refreshes) this.connection.languages.diagnostics.refresh();
  }

  private flush(): void {
    const ofRuns = this.runs.diagnostics().byFile;
    const ofProjects = this.projects.diagnostics();
    for (const uri of this.waiting) {
      const diagnostics = [...(this.pulled ? [] : this.findings(uri)), ...(ofRuns.get(uri) ?? []), ...(ofProjects.get(uri) ?? [])];
      const text = JSON.stringify(diagnostics);
      if (text === (this.published.get(uri) ?? '[]') && (this.pulled || this.published.has(uri))) continue;
      if (diagnostics.length > 0 || this.documents.has(uri)) this.published.set(uri, text);
      else this.published.delete(uri);
      void this.connection.sendDiagnostics({ uri, version: this.documents.get(uri)?.version, diagnostics });
    }
    this.waiting.clear();
  }

  private findings(uri: string): Diagnostic[] {
    return (this.documents.get(uri)?.findings() ?? []).map((finding) => toDiagnostic(finding, uri));
  }
}
