/** Which settings count for a file: what the client says when it is asked, and the nearest lanewise.json. */
import { dirname } from 'node:path';
import type { Places } from './analysis/messages.ts';
import type { ProjectFiles } from './project-files.ts';
import { readSettings, type Settings, withCommands, withProject } from './settings.ts';
import { pathOf } from './uris.ts';

/** A client that does not answer a question about its settings gets the defaults. */
const patienceMs = 2000;

export interface SettingsSources {
  /** The section `lanewise` for a file. */
  ask(uri: string): Promise<unknown>;
  readonly projects: ProjectFiles;
  /** The client has answered after all, when the file had its settings already. */
  late(uri: string): void;
}

export class DocumentSettings {
  private readonly sources: SettingsSources;
  private readonly known = new Map<string, Promise<Settings>>();
  /** Has not answered in time, and has not answered since: nobody waits for it again and again. */
  private silent = false;
  /** URIs of the workspace's folders. */
  folders: readonly string[] = [];

  constructor(sources: SettingsSources) {
    this.sources = sources;
  }

  of(uri: string): Promise<Settings> {
    const known = this.known.get(uri);
    if (known) return known;
    const settings = this.read(uri);
    this.known.set(uri, settings);
    return settings;
  }

  forget(uri: string): void {
    this.known.delete(uri);
  }

  clear(): void {
    this.known.clear();
  }

  /** Headers are read from the workspace folder of the file and from the folders for `#include` that the settings name. */
  placesOf(uri: string, { includePaths, includable, allowRead }: Settings): Places | undefined {
    const path = pathOf(uri);
    const folder = this.folderOf(uri);
    return path !== undefined && folder !== undefined
      ? { path, roots: [dirname(path), folder, ...includable, ...allowRead], includePaths }
      : undefined;
  }

  private async read(uri: string): Promise<Settings> {
    let late = false;
    const asked = this.sources.ask(uri).catch(() => undefined);
    void asked.then((section) => {
      this.silent = false;
      if (!late || !this.known.has(uri)) return;
      this.known.set(uri, Promise.resolve(this.settingsFrom(section, uri)));
      this.sources.late(uri);
    });
    const patience = new Promise<undefined>((resolve) => {
      const giveUp = () => {
        late = true;
        this.silent = true;
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, this.silent ? 0 : patienceMs).unref();
      void asked.then(() => clearTimeout(timer));
    });
    return this.settingsFrom(await Promise.race([asked, patience]), uri);
  }

  private settingsFrom(section: unknown, uri: string): Settings {
    const file = pathOf(uri);
    const folder = this.folderOf(uri);
    const settings = readSettings(section, folder);
    if (file === undefined) return settings;
    const { projects } = this.sources;
    const commands = folder === undefined ? undefined : projects.commands.of(file, folder);
    return withCommands(withProject(settings, projects.of(dirname(file))), commands, file);
  }

  /** The workspace folder of a file; without one, the file's own. */
  folderOf(uri: string): string | undefined {
    const folderUri = this.folders.filter((folder) => uri.startsWith(folder)).sort((a, b) => b.length - a.length)[0];
    const file = pathOf(uri);
    return (folderUri !== undefined ? pathOf(folderUri) : undefined) ?? (file === undefined ? undefined : dirname(file));
  }
}
