/** A real VS Code in a headless browser, with the packed extension installed and a workspace of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Frame, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

export const root = join(fileURLToPath(import.meta.url), '../../..');

const userSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'editor.minimap.enabled': false,
  'git.enabled': false,
  'window.commandCenter': false,
  // What rows of the explorer say of themselves would lie over the next one.
  'workbench.hover.delay': 600_000,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'files.autoSave': 'off',
  // As text in the page.
  'terminal.integrated.gpuAcceleration': 'off',
};

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const CHROMIUM = { executablePath: '/usr/bin/chromium', args: chromiumFlags };

export interface VsCodeOptions {
  /** Copied, so that a test can change it. */
  readonly workspace: string;
  /** Opened at once. */
  readonly file: string;
  /** Of the user, besides those of all tests. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The user's key bindings, for commands with arguments. */
  readonly keys?: (workspace: string) => readonly { readonly key: string; readonly command: string; readonly args: unknown }[];
}

/** For what takes a second on an idle machine: no test is about how long it takes on a busy one. */
const PATIENCE_MS = 60_000;
/** For the first findings of a window whose extensions are still to be loaded. */
const STARTING_MS = 150_000;

export const EDITOR_FIXTURES = join(root, 'test/fixtures/editor');

/** An editor for all tests of a file, each of which goes on where the one before it left it. Where one fails, a picture says what it was. */
export function withVsCode(options: VsCodeOptions, started: (code: VsCode) => void): void {
  let code: VsCode | undefined;
  beforeAll(async () => {
    code = await VsCode.start(options);
    started(code);
    await code.page.locator('.squiggly-warning').first().waitFor({ timeout: STARTING_MS });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await code?.picture(`failed ${task.name}`);
  });
  afterAll(() => code?.stop());
}

/** Where install.mjs has put the version that LANEWISE_VSCODE asks for. */
function serverFolder(): string {
  const wanted = process.env.LANEWISE_VSCODE ?? 'oldest';
  return wanted === 'oldest' || wanted === 'newest' ? join(root, 'build/vscode-server', wanted) : wanted;
}

/** Names of the colour themes that come with the editor. */
export function builtInThemes(): string[] {
  const extensions = join(serverFolder(), 'vscode/extensions');
  return readdirSync(extensions).flatMap((name) => {
    if (!name.startsWith('theme-')) return [];
    const { contributes } = JSON.parse(readFileSync(join(extensions, name, 'package.json'), 'utf8'));
    return ((contributes.themes ?? []) as { readonly id: string }[]).map(({ id }) => id);
  });
}

export class VsCode {
  page: Page;
  readonly workspace: string;
  /** Of the editor's data. */
  readonly scratch: string;
  private readonly server: ChildProcess;
  private readonly browser: Browser;
  private readonly address: string;
  private changed: Readonly<Record<string, unknown>> = {};

  private constructor(
    page: Page,
    parts: Pick<VsCode, 'workspace' | 'scratch'>,
    processes: { server: ChildProcess; browser: Browser; address: string },
  ) {
    this.page = page;
    this.workspace = parts.workspace;
    this.scratch = parts.scratch;
    this.server = processes.server;
    this.browser = processes.browser;
    this.address = processes.address;
  }

  /** Opens the editor anew, as one whose display language is this. */
  async speak(language: string): Promise<void> {
    await this.page.close();
    this.page = await newPage(this.browser, language);
    await this.page.goto(this.address);
  }

  static async start(options: VsCodeOptions): Promise<VsCode> {
    const scratch = mkdtempSync(join(tmpdir(), 'lanewise-vscode-'));
    const workspace = join(scratch, 'workspace');
    cpSync(options.workspace, workspace, { recursive: true });
    mkdirSync(join(scratch, 'data/User'), { recursive: true });
    writeFileSync(join(scratch, 'data/User/settings.json'), JSON.stringify({ ...userSettings, ...options.settings }));
    writeFileSync(join(scratch, 'data/User/keybindings.json'), JSON.stringify(options.keys?.(workspace) ?? []));
    const program = join(serverFolder(), 'vscode-server');
    const folders = [
      '--server-data-dir',
      join(scratch, 'server'),
      '--user-data-dir',
      join(scratch, 'data'),
      '--extensions-dir',
      join(scratch, 'ext'),
    ];
    const installed = spawnSync(program, [...folders, '--install-extension', vsix(), '--force'], { encoding: 'utf8' });
    if (installed.status !== 0) throw new Error(`the extension does not install:\n${installed.stdout}${installed.stderr}`);

    const port = await freePort();
    const address = ['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
    const quiet = ['--telemetry-level', 'off', '--disable-workspace-trust', '--default-folder', workspace];
    // A process group of its own: the server's children end with it.
    const server = spawn(program, [...folders, ...address, ...quiet], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      server.stdout!.on('data', (text) => String(text).includes('Extension host agent listening') && resolve());
      server.once('exit', (code) => reject(new Error(`the VS Code server ended with ${code}`)));
    });
    const browser = await chromium.launch(CHROMIUM);
    const page = await newPage(browser);
    const file = `vscode-remote://127.0.0.1:${port}${join(workspace, options.file)}`;
    const payload = encodeURIComponent(JSON.stringify([['openFile', file]]));
    const url = `http://127.0.0.1:${port}/?folder=${workspace}&payload=${payload}`;
    await page.goto(url);
    return new VsCode(page, { workspace, scratch }, { server, browser, address: url });
  }

  async stop(): Promise<void> {
    await this.page.close();
    await this.browser.close();
    await endGroup(this.server.pid!);
    rmSync(this.scratch, { recursive: true, force: true, maxRetries: 10 });
  }

  /**
   * In light, dark and high contrast where LANEWISE_THEMES asks for that: for somebody to look at. What was drawn for the theme before,
   * as a picture in a hover, is to be shown again.
   */
  async screenshot(name: string, again: () => Promise<void> = async () => {}): Promise<void> {
    if (!process.env.LANEWISE_THEMES) {
      await this.picture(name);
      return;
    }
    const { changed } = this;
    for (const [theme, className] of Object.entries(PICTURED_THEMES)) {
      this.settings({ ...changed, 'workbench.colorTheme': theme });
      await this.page.locator(`.monaco-workbench.${className}`).waitFor();
      await this.page.waitForTimeout(300);
      await again();
      await this.picture(`${name}, ${className}`);
    }
    this.settings(changed);
  }

  /** As it stands: of tests that change the theme themselves. */
  async picture(name: string): Promise<void> {
    const folder = join(root, 'build/screenshots');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /** The workspace's, which the editor watches. */
  settings(changed: Readonly<Record<string, unknown>>): void {
    this.changed = changed;
    mkdirSync(join(this.workspace, '.vscode'), { recursive: true });
    writeFileSync(join(this.workspace, '.vscode/settings.json'), JSON.stringify(changed));
  }

  private box(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  async command(title: string): Promise<void> {
    // Commands that were used lately come first, and their titles may begin alike.
    const label = this.page.locator('.label-name', { hasText: new RegExp(`^${title}(\\.\\.\\.)?$`) });
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first();
    // A key is lost while a page in a panel is loading, and the palette closes when a file that opens takes the focus.
    await until(`the command ${title}`, async () => {
      await this.page.keyboard.press('F1');
      if (await appears(this.box(), 3000)) return (await filled(this.box(), `>${title}`, 5000)) && clicked(row, 15_000);
      // Its frame may have the focus and nothing in it that hears keys.
      await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      return false;
    });
  }

  async saveAll(): Promise<void> {
    await this.command('File: Save All Files');
    await this.page.locator('.tab.dirty').first().waitFor({ state: 'hidden' });
  }

  /** An entry of the list that is open. */
  async pick(label: string): Promise<void> {
    await this.paletteGone();
    await this.box().fill(label);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first().click();
  }

  /** The box of the command palette is the same one. */
  private async paletteGone(): Promise<void> {
    await this.page.waitForFunction(
      () => !document.querySelector<HTMLInputElement>('.quick-input-widget input.input')?.value.startsWith('>'),
    );
  }

  /** What the box that is open asks for. It may be asked for again with the same text in the box, and a prompt that says why. */
  async answer(text: string): Promise<void> {
    await this.paletteGone();
    const prompt = await this.page.locator('.quick-input-widget .quick-input-message').textContent();
    await this.box().fill(text);
    await this.page.keyboard.press('Enter');
    await this.page.waitForFunction(
      (given) => {
        const input = document.querySelector<HTMLInputElement>('.quick-input-widget input.input');
        if (!input?.checkVisibility() || input.value !== given.text) return true;
        return document.querySelector('.quick-input-widget .quick-input-message')?.textContent !== given.prompt;
      },
      { text, prompt },
    );
  }

  /** An entry of the menu behind the light bulb. */
  action(title: string): Locator {
    return this.page.locator('.action-widget .monaco-list-row.action').filter({ hasText: title });
  }

  async chooseAction(title: string): Promise<void> {
    const action = this.action(title).first();
    await action.waitFor();
    // The list may be drawn anew while it is open: what is chosen is what has the focus now.
    await until(`the action ${title}`, async () => {
      if (await action.evaluate((row) => row.classList.contains('focused'))) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    });
    await this.page.keyboard.press('Enter');
    await action.waitFor({ state: 'hidden' });
  }

  /** At once after another metric is chosen, too. */
  async listLines(by: string): Promise<void> {
    await this.command('Lanewise: List Counted Lines');
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: by }).first().waitFor();
  }

  /** Waits until more than this many lines have a bar in the gutter. */
  async barsOnMoreThan(lines: number): Promise<void> {
    await this.page.locator('.editor-instance .glyph-margin-widgets .cgmr').nth(lines).waitFor();
  }

  /** Rests the mouse at the end of a line or on a word of it until a hover says the text: lines move while lenses come. */
  async hover(what: Locator, text: string, { atEnd = false } = {}): Promise<void> {
    const said = this.page.locator('.monaco-hover:visible').filter({ hasText: text });
    await until(`a hover that says ${text}`, async () => {
      await this.page.mouse.move(700, 3);
      const box = await what.boundingBox();
      if (!box) return false;
      await this.page.mouse.move(atEnd ? box.x + box.width - 30 : box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
      return appears(said.first(), 5000);
    });
  }

  /** A button of a notification, which may have gone to the list of all of them by now. */
  async pressInNotification(label: string): Promise<void> {
    const button = this.page.locator('.notification-toast .monaco-button, .notifications-center .monaco-button').filter({ hasText: label });
    await until(`the button ${label}`, async () => {
      if (await clicked(button.first(), 5000)) return true;
      await this.command('Notifications: Show Notifications');
      return clicked(button.first(), 5000);
    });
  }

  /** Rows of trees: a second click on the same place would fold them again. */
  async unfold(row: Locator): Promise<void> {
    await row.waitFor();
    await until('the row to unfold', async () => {
      if ((await row.getAttribute('aria-expanded')) === 'true') return true;
      await clicked(row.locator('.monaco-tl-twistie'), 5000);
      await this.page.waitForTimeout(300);
      return (await row.getAttribute('aria-expanded')) === 'true';
    });
  }

  /** What a run before has left in the panel would do for this one's. */
  async clearOutput(): Promise<void> {
    await this.command('View: Clear Output');
    await this.page.waitForFunction(() => document.querySelector('.output-view .view-lines')?.textContent?.trim() === '');
  }

  /** Of the explorer; a click on a folder opens it. */
  private async explorerRow(name: string): Promise<Locator> {
    const files = this.page.locator('.explorer-folders-view');
    const row = files.locator('.monaco-list-row').getByText(name, { exact: true });
    // Rows out of sight do not exist, and those of a folder come after it.
    await until(`${name} in the explorer`, async () => {
      await files.hover();
      await this.page.mouse.wheel(0, -10_000);
      for (let turns = 0; turns < 20 && !(await row.isVisible()); turns++) {
        await this.page.waitForTimeout(200);
        await this.page.mouse.wheel(0, 60);
      }
      if (await row.isVisible()) return true;
      // What was made while the window opened may have gone unnoticed.
      await clicked(this.page.locator('.pane-header a[aria-label^="Refresh Explorer"]').first(), 3000);
      return false;
    });
    return row;
  }

  async openFolder(name: string): Promise<void> {
    await (await this.explorerRow(name)).click();
  }

  async openFile(name: string): Promise<void> {
    await (await this.explorerRow(name)).dblclick();
    await this.showsFile(name);
  }

  /** Its tab is there before its text: until then the editor has the lines and lenses of the file before. */
  async showsFile(name: string): Promise<void> {
    await this.page.locator('.tab.active').getByText(name, { exact: true }).first().waitFor();
    await this.page.locator(`.monaco-editor[data-uri$="/${name}"] .view-line`).first().waitFor();
  }

  /** The line of the file that contains the text; VS Code renders spaces as no-break spaces. */
  line(text: string): Locator {
    return this.page.locator('.editor-instance .view-line').filter({ hasText: text.replaceAll(' ', '\u00a0') });
  }

  /** The page that a panel beside the editors shows. */
  panel(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Its document, for scripts. */
  async panelFrame(): Promise<Frame> {
    const body = await this.panel().locator('body').elementHandle();
    return (await body!.ownerFrame())!;
  }

  lessonRow(text: string): Locator {
    return this.page
      .locator('.pane', { has: this.page.locator('[aria-label="CUDA Lessons Section"]') })
      .locator('.monaco-list-row')
      .filter({ hasText: text });
  }

  status(text: string): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  lens(text: string): Locator {
    return this.page.locator('.codelens-decoration a').filter({ hasText: text });
  }

  /** Waits until the output panel shows the text. */
  async output(text: string | RegExp): Promise<string> {
    const lines = this.page.locator('.output-view .view-lines');
    const expected = typeof text === 'string' ? text.replaceAll(' ', '\u00a0') : text;
    await lines.filter({ hasText: expected }).waitFor();
    return (await lines.textContent())!.replaceAll('\u00a0', ' ');
  }

  /** Waits for a text at the end of a line. */
  async decorated(text: string): Promise<void> {
    await this.page.waitForFunction((wanted) => {
      const spans = [...document.querySelectorAll('.editor-instance .view-line span')];
      return spans.some((span) => getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' ').includes(wanted));
    }, text);
  }

  /** Texts at line ends: they are contents of pseudo-elements, which no selector finds. */
  async decorations(accept: (texts: string[]) => boolean): Promise<string[]> {
    const handle = await this.page.waitForFunction((condition) => {
      const spans = [...document.querySelectorAll('.editor-instance .view-line span')];
      const contents = spans.map((span) => getComputedStyle(span, '::after').content).filter((content) => /^".+"$/.test(content));
      const texts = contents.map((content) => content.slice(1, -1).replaceAll('\u00a0', ' '));
      return new Function(`return (${condition})`)()(texts) ? texts : undefined;
    }, String(accept));
    return (await handle.jsonValue())!;
  }
}

/** Again and again: what is done may be lost, or meet what is about to change. */
async function until(what: string, done: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await done())) if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
}

function appears(what: Locator, timeout: number): Promise<boolean> {
  return what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

function filled(what: Locator, text: string, timeout: number): Promise<boolean> {
  return what.fill(text, { timeout }).then(
    () => true,
    () => false,
  );
}

function clicked(what: Locator, timeout: number): Promise<boolean> {
  return what.click({ timeout }).then(
    () => true,
    () => false,
  );
}

/** Ends a process and those that it has started; comes back when the last one has gone, so that nothing writes its files any more. */
async function endGroup(id: number): Promise<void> {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-id, signal);
    } catch {
      return false;
    }
  };
  send('SIGTERM');
  for (let turns = 0; send(0); turns++) {
    if (turns === 100) send('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What axe-core, which the page has got, finds wrong in it: rule and element. */
export async function violations(of: Pick<Page | Frame, 'evaluate'>): Promise<(readonly [string, string])[]> {
  const { violations: found, passes } = (await of.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    passes: unknown[];
  };
  if (passes.length < 10) throw new Error('axe has found little to look at');
  return found.flatMap(({ id, nodes }) => nodes.slice(0, 2).map(({ html, failureSummary }) => [id, `${html} ${failureSummary}`] as const));
}

/** A language pack would set the language so; the editor's own words stay English. */
async function newPage(browser: Browser, language?: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  if (language !== undefined) {
    await page.addInitScript((name) => {
      (globalThis as { _VSCODE_NLS_LANGUAGE?: string })._VSCODE_NLS_LANGUAGE = name;
    }, language);
  }
  return page;
}

/** With the class that the workbench has then. */
const PICTURED_THEMES = { 'Visual Studio Light': 'vs', 'Visual Studio Dark': 'vs-dark', 'Default High Contrast': 'hc-black' };

function vsix(): string {
  const name = readdirSync(root).find((file) => file.endsWith('.vsix'));
  if (!name) throw new Error('no .vsix: npm run package makes it');
  return join(root, name);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
