/** The lanewise.json and compile_commands.json files above the open documents: read when a document opens, and again when something says that they changed. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { PROJECT_FILE } from '../analyzers/project-settings.ts';
import { CompileCommands } from '../project/compile-commands.ts';
import { type NearestSettings, nearestSettings } from '../project/nearest-settings.ts';
import { toRange } from './convert.ts';
import type { ProjectText } from './suppressions.ts';
import { diskText } from './texts.ts';

export const projectFileGlob = `**/{${PROJECT_FILE},compile_commands.json,Makefile,makefile,GNUmakefile}`;

export class ProjectFiles {
  readonly commands = new CompileCommands();
  /** By folder of documents. */
  private known = new Map<string, NearestSettings | undefined>();

  of(folder: string): NearestSettings | undefined {
    if (!this.known.has(folder)) this.known.set(folder, nearestSettings(folder));
    return this.known.get(folder);
  }

  /** Of the lanewise.json that counts for files of `folder`; where there is none, of that which `root`, or the folder itself, would have. */
  textFor(folder: string | undefined, root: string | undefined): ProjectText | undefined {
    if (folder === undefined) return undefined;
    const path = this.of(folder)?.file ?? join(root ?? folder, PROJECT_FILE);
    return { uri: pathToFileURL(path).href, text: diskText(path) };
  }

  /** Reads again for these folders, forgets the others. Whether anything has changed. */
  reread(folders: ReadonlySet<string>): boolean {
    const before = this.known;
    this.known = new Map([...folders].map((folder) => [folder, nearestSettings(folder)]));
    const differs = (folder: string) => JSON.stringify(before.get(folder)) !== JSON.stringify(this.known.get(folder));
    if (this.commands.haveChanged()) return true;
    return [...before].some(([folder, project]) => (this.known.has(folder) ? differs(folder) : project?.problem !== undefined));
  }

  /** Those of other folders. `mended`: one of them had a problem that the client shows. */
  forget(folders: ReadonlySet<string>, mended: () => void): void {
    let shown = false;
    for (const [folder, project] of this.known) {
      if (folders.has(folder)) continue;
      this.known.delete(folder);
      shown ||= project?.problem !== undefined;
    }
    if (shown) mended();
  }

  /** By URI of the lanewise.json. */
  diagnostics(): ReadonlyMap<string, readonly Diagnostic[]> {
    const byFile = new Map<string, readonly Diagnostic[]>();
    for (const project of this.known.values()) {
      if (!project?.problem) continue;
      const { message, range } = project.problem;
      const text = `${message}. The file is ignored until this is fixed.`;
      const diagnostic = { range: toRange(range), severity: DiagnosticSeverity.Error, source: 'lanewise', message: text };
      byFile.set(pathToFileURL(project.file).href, [diagnostic]);
    }
    return byFile;
  }
}
