/** Five lessons in a real VS Code, from the first page to the last step, in every language that they have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Lesson } from '../../protocol/lesson.ts';
import { EDITOR_FIXTURES, root, type VsCode, withVsCode } from './vscode.ts';

/** What a student has to say, worked out by hand. */
const ANSWERS: Readonly<Record<string, number>> = {
  coalescing: 32,
  divergence: 53,
  histogram: 2048,
  'bank-conflicts': 4 * 4 * 32 * 31,
  'grid-sync': 16,
};
const NAMES = Object.keys(ANSWERS);

let code: VsCode;
withVsCode(
  {
    workspace: EDITOR_FIXTURES,
    file: 'doubling.cu',
    // Text that is put in as a whole would be indented once more, line by line.
    settings: { 'notifications.showInProgressCount': false, 'editor.autoIndent': 'none' },
    keys: () => [
      ...NAMES.map((name, index) => ({ key: `ctrl+alt+${index + 1}`, command: 'lanewise.openLesson', args: name })),
      { key: 'ctrl+alt+n', command: 'notifications.clearAll', args: undefined },
      { key: 'ctrl+alt+w', command: 'workbench.action.closeAllEditors', args: undefined },
      { key: 'ctrl+alt+e', command: 'workbench.action.focusActiveEditorGroup', args: undefined },
    ],
  },
  (started) => {
    code = started;
  },
);

function texts(language: string): (english: string) => string {
  if (language === 'en') return (english) => english;
  const bundle = JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
  return (english) => bundle[english];
}

/** Of the editor's data: the student's copies. */
const WRITTEN = 'data/User/globalStorage/lanewise.lanewise/lessons';
const oneSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();

const plain = (markdown: string) => markdown.replaceAll('`', '');

/** The texts are the same in every version of the editor: one that switches languages does for the second. */
const LANGUAGES = process.env.LANEWISE_VSCODE === 'newest' ? ['en', 'fr'] : ['en', 'ja', 'ko', 'fr'];

describe.each(LANGUAGES)('in %s', (language) => {
  const say = texts(language);

  beforeAll(async () => {
    if (language !== 'en') await code.speak(language);
    await code.lens(say('▶ Run in simulator')).first().waitFor();
    await code.screenshot(`lenses ${language}`);
    // Rows out of sight do not exist.
    await code.page.locator('.explorer-folders-view').waitFor();
    await code.page.locator('.pane-header', { hasText: /^workspace/i }).click();
    await code.page.locator('.explorer-folders-view').waitFor({ state: 'hidden' });
  });

  it('the walkthrough begins with its first page', async () => {
    const own = language === 'en' ? 'open.md' : `open.nls.${language}.md`;
    const [, words] = readFileSync(join(root, 'docs/walkthrough', own), 'utf8').split('```\n\n');
    await code.command('Welcome: Open Walkthrough');
    await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'GPU' }).filter({ hasText: 'CUDA' }).first().click();
    const title = JSON.parse(readFileSync(join(root, `package.nls${language === 'en' ? '' : `.${language}`}.json`), 'utf8'))[
      'walkthrough.open.title'
    ];
    await code.page.locator('.getting-started-step').filter({ hasText: title }).waitFor();
    // Up to what is emphasised: there the page has elements.
    await code
      .panel()
      .locator('p', { hasText: words.split('*')[0].trim() })
      .waitFor();
    await code.screenshot(`walkthrough ${language}`);
    await code.command('View: Close All Editors');
  });

  it.each(NAMES)('%s is opened, predicted, and solved', async (name) => {
    const folder = join(root, 'examples/lessons', name);
    const lesson: Lesson = JSON.parse(readFileSync(join(folder, 'lesson.json'), 'utf8'));
    const [predict, fix] = lesson.steps;
    if (predict.kind !== 'predict' || fix.kind !== 'fix') throw new Error(`${name} begins otherwise`);
    const rows = code.page.locator('.sidebar .monaco-list-row');
    const told = (text: string) => code.page.locator('.notification-list-item-message').filter({ hasText: text });

    await code.page.keyboard.press(`Control+Alt+${NAMES.indexOf(name) + 1}`);
    await code.page.locator('.tab').filter({ hasText: lesson.program }).first().waitFor();
    await code
      .panel()
      .locator('h1', { hasText: plain(lesson.title[language]) })
      .waitFor();
    // A click on the row would open the lesson anew.
    const row = rows.filter({ hasText: `${lesson.order}. ${lesson.title[language]}` });
    await code.unfold(row);
    await rows.filter({ hasText: plain(predict.text[language]) }).click();
    await code.answer(String(ANSWERS[name]));
    await told(say('Right. {0}: {1} {2} (simulated).').replace('{0}', predict.kernel).split('{1}')[0].trim()).waitFor();

    const solution = readFileSync(join(folder, fix.solution), 'utf8');
    const written = () => oneSpaced(readFileSync(join(code.scratch, WRITTEN, name, lesson.program), 'utf8'));
    await code.page.locator('.tab').filter({ hasText: lesson.program }).first().click();
    await code.showsFile(lesson.program);
    // A click on a line would miss one that is scrolled out of sight at the left.
    await code.page.keyboard.press('Control+Alt+e');
    await code.page.keyboard.press('Control+a');
    await code.page.keyboard.insertText(solution);
    await code.page.keyboard.press('Control+s');
    await expect.poll(written).toBe(oneSpaced(solution));
    await code.page.locator('.tab.dirty').first().waitFor({ state: 'hidden' });
    await code.page.keyboard.press('Control+Alt+n');
    await rows.filter({ hasText: plain(fix.text[language]) }).click();
    await told(say('Done. {0}').split('{0}')[0].trim()).first().waitFor();
    await rows
      .filter({ hasText: say('{0} of {1} steps').replace('{0}', '2').replace('{1}', '2') })
      .first()
      .waitFor();
    if (name === 'bank-conflicts') await code.screenshot(`lesson ${language}`);
    expect(written()).toBe(oneSpaced(solution));

    await row.locator('.monaco-tl-twistie').click();
    await code.page.keyboard.press('Control+Alt+n');
    await code.page.keyboard.press('Control+Alt+w');
    await code.page.locator('.tab').first().waitFor({ state: 'hidden' });
  });
});
