/** The pure parts of the server: what they say about reports, and where things are after edits. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Range } from 'vscode-languageserver/node';
import { lastColumnOf, placed } from '../../client/line-ends.ts';
import { whereNow } from '../../client/moved-lines.ts';
import { terminalArguments } from '../../client/terminal-arguments.ts';
import { type LineCounters, noCounts } from '../../counters/counters.ts';
import { plainName, unqualifiedName } from '../../counters/kernel-names.ts';
import { LINE_METRICS, lineMetric } from '../../counters/line-metrics.ts';
import { percent } from '../../counters/percent.ts';
import { deviceIds } from '../../devices/devices.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { FaultReport, KernelReport } from '../../protocol/report.ts';
import { codeActions } from '../../server/code-actions.ts';
import { plainText, toHover } from '../../server/hover.ts';
import { inlayHints } from '../../server/inlay-hints.ts';
import { OutputStream } from '../../server/output-stream.ts';
import { annotate, faultText, reportTable, summarise } from '../../server/report-text.ts';
import { excerpts } from '../../server/rule-pages.ts';
import { readSettings } from '../../server/settings.ts';
import { shiftLines } from '../../server/shift-lines.ts';
import { DEFAULT_ENGINE, ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { withDefaults } from '../../simulator/options/limits.ts';
import { root, wholeFile } from './editor.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const quiet: LineCounters = { ...noCounts(), inst: 100, threadInst: 3200 };
const launch = (kernel: string, grid: KernelReport['grid'] = [8, 1, 1]): KernelReport => ({
  kernel,
  grid,
  block: [256, 1, 1],
  metrics: {},
});
const taking = (kernel: string, ns: number) => ({ ...launch(kernel), estimate: { ns, parts: [] } }) as unknown as KernelReport;

describe('names of kernels', () => {
  it.each([
    ['reduceModulo(const int *, int *, int)', 'reduceModulo'],
    ['void reduce<int, Plus<int> >(const T1 *, int)', 'reduce'],
    ['void outer::inner::scale<(Mode)1>(float *)', 'scale'],
    ['void (anonymous namespace)::hidden<4>(int *)', 'hidden'],
    ['extern_c_kernel', 'extern_c_kernel'],
  ])('%s', (signature, name) => expect(unqualifiedName(signature)).toBe(name));

  it('has its arguments of templates, where told apart by them, and no namespace without a name', () => {
    expect(plainName('void outer::(anonymous namespace)::hidden<4>(int *)')).toBe('outer::hidden<4>');
    expect(plainName('void scale<(Mode)1>(float *)')).toBe('scale<(Mode)1>');
  });
});

describe('a report in words', () => {
  it('sums the launches and instances of one kernel name', () => {
    const kernels = [launch('void k<int>(int *)'), launch('void k<float>(float *)'), launch('other()', [1, 2, 1])];
    const lines = {
      'void k<int>(int *)': { 'a.cu:1': { ...quiet, sharedWavefronts: 320, sharedWavefrontsIdeal: 10 } },
      'void k<float>(float *)': { 'a.cu:1': { ...quiet, sharedWavefronts: 10, sharedWavefrontsIdeal: 10 } },
    };
    expect(summarise({ kernels, lines, faults: [] })).toEqual([
      { name: 'k', launches: 2, text: '2 launches of 8 × 256 threads · 16.5× ideal wavefronts' },
      { name: 'other', launches: 1, text: '1 launch of 1×2 × 256 threads' },
    ]);
  });

  it('says of a kernel without waste how many lanes are active, if not nearly all', () => {
    const text = (line: Partial<LineCounters>) =>
      summarise({ kernels: [launch('k()')], lines: { 'k()': { 'a.cu:1': { ...quiet, ...line } } }, faults: [] })[0].text;
    expect(text({ threadInst: 2500 })).toBe('1 launch of 8 × 256 threads · 78 % of lanes active');
    expect(text({ threadInst: 2500, globalSectors: 4, globalSectorsIdeal: 4 })).toContain('· coalesced, 78 % of lanes active');
    expect(text({ threadInst: 3100 })).toContain('· little divergence');
    expect(text({ atomicRequests: 1200, atomicTurns: 1200 })).toContain('· little divergence, 1,200 atomics');
  });

  it('says of a kernel that faulted where, and praises nothing', () => {
    const fault: FaultReport = { kind: 'out-of-bounds', message: 'out-of-bounds write', kernel: 'k()', file: 'a.cu', line: 5 };
    const lines = { 'k()': { 'a.cu:1': { ...quiet, globalSectors: 4, globalSectorsIdeal: 4 } }, 'other()': { 'a.cu:9': quiet } };
    const summaries = summarise({ kernels: [launch('k()'), launch('other()')], lines, faults: [fault] });
    expect(summaries[0].text).toBe('1 launch of 8 × 256 threads · faulted at line 5: out of bounds');
    expect(summaries[1].text).toContain('little divergence');
  });

  it('says of a kernel whose atomics queue for few addresses that they do', () => {
    const line = { ...quiet, globalSectors: 8, globalSectorsIdeal: 8, atomicRequests: 4, atomicSectors: 128, atomicTurns: 128 };
    const report = { kernels: [launch('k()')], lines: { 'k()': { 'a.cu:1': line, 'a.cu:2': quiet } }, faults: [] };
    expect(summarise(report)[0].text).toBe('1 launch of 8 × 256 threads · atomics with 32.0 lanes on one address');
    expect(annotate(report, 'a.cu')[0]).toMatchObject({
      line: 0,
      wasteful: true,
      text: expect.stringContaining('32.0 lanes on one address'),
    });
  });

  it('marks what costs, whether wasteful or not, and nothing else', () => {
    const lines = {
      'k()': {
        'a.cu:3': quiet,
        'a.cu:4': { ...quiet, globalSectors: 3200, globalSectorsIdeal: 400 },
        'a.cu:5': { ...quiet, inst: 1 },
        'a.cu:6': { ...quiet, threadInst: 320 },
        'b.cuh:7': { ...quiet, inst: 499 },
      },
      'other()': { 'a.cu:3': quiet },
    };
    const source = ['', '', 'a;', 'b;', 'c;', 'd;', '  } }\r'];
    const marks = annotate({ lines: { ...lines, 'third()': { 'a.cu:7': quiet } } }, 'a.cu', { source });
    expect(marks.filter(({ costly }) => costly).map(({ line, text, wasteful }) => [line, text, wasteful])).toEqual([
      [2, '20 % of instructions', false],
      [3, '8.0× ideal sectors · 10 % of instructions', true],
      [5, '10 % of lanes active · 10 % of instructions', true],
    ]);
    expect(marks[0].details).toContain('`other()`');
    // Which lines of the file are told does not hang on what others cost.
    const header = { 'b.cuh:7': { ...quiet, inst: 1_000_000 } };
    const rare = annotate({ lines: { ...lines, 'k()': { ...lines['k()'], ...header } } }, 'a.cu', { source });
    expect(rare.filter(({ costly }) => costly).map(({ line, text }) => [line, text])).toEqual([
      [2, '< 0.1 % of instructions'],
      [3, '8.0× ideal sectors · < 0.1 % of instructions'],
      [5, '10 % of lanes active · < 0.1 % of instructions'],
    ]);
  });

  it('says of the lines of several files what they have of the kernels that they share', () => {
    const report = {
      lines: {
        'k()': { 'main.cu:1': { ...quiet, inst: 25 }, 'load.cuh:4': { ...quiet, inst: 50 }, 'reduce.cuh:9': { ...quiet, inst: 25 } },
        'elsewhere()': { 'main.cu:7': { ...quiet, inst: 100 } },
      },
    };
    const said = (file: string) => annotate(report, file).map((mark) => [mark.text.split(' · ').at(-1), mark.instructionShare]);
    expect(said('load.cuh')).toEqual([['50 % of instructions', 0.5]]);
    expect(said('reduce.cuh')).toEqual([['25 % of instructions', 0.25]]);
    expect(said('main.cu')).toEqual([
      ['13 % of instructions', 0.125],
      ['50 % of instructions', 0.5],
    ]);
  });

  it('has the estimated time of lines, summed over kernels, to show beside them', () => {
    const time = LINE_METRICS.find(({ id }) => id === 'time')!;
    const marks = annotate(
      {
        lines: { 'k()': { 'a.cu:3': quiet, 'a.cu:4': quiet }, 'l()': { 'a.cu:3': quiet } },
        lineTimes: { 'k()': { 'a.cu:3': 500 }, 'l()': { 'a.cu:3': 250, 'b.cu:4': 9 } },
      },
      'a.cu',
    );
    expect(marks.map(({ nanoseconds }) => nanoseconds)).toEqual([750, undefined]);
    expect(marks.map((mark) => time.amount(mark))).toEqual([750, 0]);
    expect(marks.map(({ text, costly }) => [text, costly])).toEqual([
      ['67 % of instructions', true],
      ['33 % of instructions', true],
    ]);
    const late = annotate(
      { lines: { 'k()': { 'a.cu:3': { ...quiet, inst: 5000 }, 'a.cu:4': quiet } }, lineTimes: { 'k()': { 'a.cu:4': 90, 'a.cu:3': 10 } } },
      'a.cu',
    );
    expect(late[1]).toMatchObject({ text: '90 % of the time (estimated) · 2.0 % of instructions', costly: true });
    // Starting a grid is in no line: of the time of a short kernel it is most.
    const short = annotate(
      {
        kernels: [taking('k()', 2000), taking('elsewhere()', 9000)],
        lines: { 'k()': { 'a.cu:3': quiet }, 'elsewhere()': { 'b.cu:1': quiet } },
        lineTimes: { 'k()': { 'a.cu:3': 500 }, 'elsewhere()': { 'b.cu:1': 8000 } },
      },
      'a.cu',
    );
    expect(time.text(short[0])).toBe('25 % of the time (estimated)');
    expect(lineMetric(undefined, marks).id).toBe('time');
    expect(lineMetric('time', [{ counters: quiet, share: 1, instructionShare: 1 }]).id).toBe('cost');
    expect(marks[0].details).toMatch(/\n\n750 ns of the time of kernels \(estimated\)$/);
    expect(marks[1].details).not.toContain('estimated');
    expect(time.text(marks[0])).toBe('100 % of the time (estimated)');
  });

  it('has hints as long as VS Code shows them whole', () => {
    const mark = (text: string) => ({ ...annotate({ lines: { 'k()': { 'a.cu:1': quiet } } }, 'a.cu')[0], text });
    const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    const label = (text: string, stale = false) => inlayHints([mark(text)], ['a;'], { range, stale })[0].label;
    expect(label('4.5× ideal sectors · 57 % of instructions')).toBe('4.5× ideal sectors · 57 % of instructions');
    expect(label('4.5 → 1.0× ideal sectors · 57 % of instructions')).toBe('4.5 → 1.0× ideal sectors');
    expect(label('4.5× ideal sectors · 57 % of instructions', true)).toBe('before your last changes: 4.5× ideal sectors');
    expect(label('many words that nobody has thought of a way to shorten')).toContain('to shorten');
  });

  it('tells what was wasted in the run before where it is another number', () => {
    const wasteful = { ...quiet, globalSectors: 3200, globalSectorsIdeal: 400 };
    const coalesced = { ...quiet, globalSectors: 400, globalSectorsIdeal: 400 };
    const half = { ...quiet, threadInst: quiet.threadInst / 2 };
    const text = (now: LineCounters, before: LineCounters) =>
      annotate({ lines: { 'k()': { 'a.cu:3': now, 'a.cu:9': quiet } } }, 'a.cu', { before: (line) => (line === 2 ? before : undefined) })[0]
        .text;
    expect(text(coalesced, wasteful)).toBe('8.0 → 1.0× ideal sectors · 50 % of instructions');
    expect(text(wasteful, coalesced)).toBe('1.0 → 8.0× ideal sectors · 50 % of instructions');
    expect(text(wasteful, wasteful)).toBe('8.0× ideal sectors · 50 % of instructions');
    expect(text(quiet, half)).toBe('50 % → 100 % of lanes active · 50 % of instructions');
    // 1.27 and 1.24, of which one is remarkable and the other is not, are no change.
    expect(text({ ...coalesced, globalSectors: 496 }, { ...coalesced, globalSectors: 508 })).toBe('50 % of instructions');
    expect(text(quiet, wasteful)).toBe('50 % of instructions');
  });

  it('marks lines of the file that ran, not of others with its base name', () => {
    const report = { lines: { 'k()': { 'x/a.cu:3': quiet }, 'other()': { 'y/a.cu:4': quiet } } };
    expect(annotate(report, '/p/x/a.cu').map(({ line }) => line)).toEqual([2]);
    expect(annotate(report, '/p/y/a.cu').map(({ line }) => line)).toEqual([3]);
    expect(annotate(report, '/p/a.cu')).toEqual([]);
  });

  it('says nothing of one branch in thousands that diverges', () => {
    const few = { ...quiet, inst: 5000, threadInst: 160_000 };
    const verdict = (divergentBranches: number) =>
      annotate({ lines: { 'k()': { 'a.cu:3': { ...few, divergentBranches } } } }, 'a.cu')[0].text;
    expect(verdict(1)).toBe('100 % of instructions');
    expect(verdict(6)).toBe('6 divergent branches · 100 % of instructions');
    expect(annotate({ lines: { 'k()': { 'a.cu:3': { ...quiet, divergentBranches: 1 } } } }, 'a.cu')[0].text).toBe(
      '1 divergent branch · 100 % of instructions',
    );
  });

  it('says where a line without a branch of its own has some', () => {
    const verdict = (divergentBranches: number, slowPathBranches: number) =>
      annotate({ lines: { 'k()': { 'a.cu:3': { ...quiet, divergentBranches, slowPathBranches } } } }, 'a.cu')[0].text;
    expect(verdict(7, 7)).toBe('7 divergent branches in slow paths · 100 % of instructions');
    expect(verdict(1, 1)).toBe('1 divergent branch in a slow path · 100 % of instructions');
    expect(verdict(7, 6)).toBe('7 divergent branches · 100 % of instructions');
  });

  it('counts a fault with its place and origin', () => {
    const fault = {
      kind: 'out-of-bounds',
      message: 'a store outside',
      file: 'a.cu',
      line: 6,
      kernel: 'k()',
      block: [3, 0, 0],
      thread: [8, 0, 0],
    } as const;
    expect(faultText({ ...fault, block: [3, 0, 0], thread: [8, 0, 0] })).toBe(
      'a.cu:6: a store outside [kernel k(), block (3, 0, 0), thread (8, 0, 0)]',
    );
    expect(reportTable({ kernels: [], lines: {}, faults: [] })).toBe('No kernel was launched.');
  });

  it('says how many launches were not executed', () => {
    const repeated: KernelReport = { ...launch('k()'), repeats: true };
    const text = reportTable({ kernels: [launch('k()'), repeated, repeated], lines: {}, faults: [] });
    expect(text.split('\n').at(-1)).toBe('2 of 3 launches repeat an earlier one: counted, not executed');
    expect(reportTable({ kernels: [launch('k()')], lines: {}, faults: [] })).not.toContain('executed');
  });
});

describe('lines after edits', () => {
  const edit = (startLine: number, startColumn: number, endLine: number, endColumn: number, newText: string) => ({
    range: { start: { line: startLine, column: startColumn }, end: { line: endLine, column: endColumn } },
    newText,
  });
  it.each([
    ['below', [edit(9, 0, 9, 0, 'x\n')], 5],
    ['a line above', [edit(2, 3, 2, 3, '\n')], 6],
    ['lines deleted above', [edit(1, 0, 3, 0, '')], 3],
    ['lines deleted just above', [edit(3, 0, 5, 0, '')], 3],
    ['a line inserted before it', [edit(5, 0, 5, 0, 'x\r\n')], 6],
    ['Enter at its end', [edit(5, 20, 5, 20, '\n  ')], 5],
    ['a character in it', [edit(5, 2, 5, 2, 'x')], undefined],
    ['it deleted', [edit(5, 0, 6, 0, '')], undefined],
    ['joined to the one above', [edit(4, 9, 5, 0, '')], undefined],
    ['two edits', [edit(0, 0, 0, 0, 'a\nb\n'), edit(7, 0, 7, 0, '\n')], 8],
    ['all text replaced', undefined, undefined],
  ])('%s', (_, edits, line) => expect(shiftLines(5, edits)).toBe(line));
});

describe('code actions', () => {
  const at = (line: number, from: number, to: number) => ({ start: { line, column: from }, end: { line, column: to } });
  const finding = (line: number, safe: boolean, edits = [{ range: at(line, 2, 5), newText: 'new' }]): Finding => ({
    rule: 'a-rule',
    severity: 'warning',
    range: at(line, 2, 5),
    message: 'm',
    related: [],
    fixes: [{ title: 'Mend it', safe, edits }],
  });
  const uri = 'file:///a.cu';

  it('apply safe fixes together, in order, an overlapping one later', () => {
    const findings = [finding(3, true), finding(1, true), finding(2, false), finding(3, true, [{ range: at(3, 4, 9), newText: 'other' }])];
    const actions = codeActions(findings, '\n\n\n\n\n', { uri, range: wholeFile(), only: ['source.fixAll'] });
    expect(actions.map(({ kind }) => kind)).toEqual(['source.fixAll.lanewise']);
    expect(actions[0].edit?.changes?.[uri].map((edit) => edit.range.start.line)).toEqual([1, 3]);
    expect(codeActions([finding(2, false)], '', { uri, range: wholeFile(), only: ['source.fixAll'] })).toEqual([]);
  });

  it('prefer safe fixes and keep to the range asked for', () => {
    const range = { start: { line: 1, character: 3 }, end: { line: 1, character: 3 } };
    const actions = codeActions([finding(1, true), finding(2, true)], 'a\n\tb\r\nc', { uri, range, only: ['quickfix'] });
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Mend it', true],
      ['Suppress a-rule here, with a reason', undefined],
      ['Suppress a-rule in this file, with a reason', undefined],
    ]);
    expect(actions[2].edit?.changes?.[uri]).toMatchObject([
      { range: { start: { line: 0 } }, newText: '// lanewise: allow-file(a-rule) reason: \r\n' },
    ]);
    expect(actions[1].edit?.changes?.[uri]).toMatchObject([{ newText: '\t// lanewise: allow(a-rule) reason: \r\n' }]);
    const [, withCursor] = codeActions([finding(1, true)], 'a\n\tb\r\nc', { uri, range, only: ['quickfix'], snippets: true });
    expect(withCursor.edit?.documentChanges).toMatchObject([
      { edits: [{ snippet: { value: '\t// lanewise: allow(a-rule) reason: $0\r\n' } }] },
    ]);
  });

  it.each([
    [undefined, '{\n  "rules": {\n    "a-rule": "off"\n  }\n}\n'],
    ['{}', '{\n  "rules": { "a-rule": "off" }\n}'],
    ['{\n  "device": "a100"\n}\n', '{\n  "rules": { "a-rule": "off" },\n  "device": "a100"\n}\n'],
    ['{\n  "rules": {\n    "b": "hint"\n  }\n}\n', '{\n  "rules": {\n    "a-rule": "off",\n    "b": "hint"\n  }\n}\n'],
  ])('turn a rule off in a lanewise.json: %j', (text, expected) => {
    const project = { uri: 'file:///lanewise.json', text };
    const [off] = codeActions([finding(1, true)], 'a\nb', { uri, range: wholeFile(), only: ['quickfix'], project }).slice(-1);
    const changes = off.edit!.documentChanges as { kind?: string; edits?: { range: Range; newText: string }[] }[];
    expect([off.title, changes.map(({ kind }) => kind)]).toEqual([
      'Turn a-rule off in lanewise.json',
      text === undefined ? ['create', undefined] : [undefined],
    ]);
    const [{ range, newText }] = changes.at(-1)!.edits!;
    const before = (text ?? '').split('\n');
    const line = before[range.start.line];
    before[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.start.character);
    expect(before.join('\n')).toBe(expected);
    expect(JSON.parse(expected).rules['a-rule']).toBe('off');
  });

  it('have a client save the lanewise.json that they have changed, if it can', () => {
    const asked = { uri, range: wholeFile(), project: { uri: 'file:///lanewise.json', text: '{}' } };
    const commands = (saves: boolean) => codeActions([finding(1, true)], 'a\nb', { ...asked, saves }).map(({ command }) => command);
    expect(commands(false).filter((command) => command)).toEqual([]);
    expect(commands(true).filter((command) => command)).toMatchObject([
      { command: 'lanewise.projectChanged', arguments: ['file:///lanewise.json'] },
    ]);
  });

  it('run the program again where it has been run', () => {
    const [fix] = codeActions([finding(1, true)], 'a\nb', { uri, range: wholeFile(), rerun: true });
    expect(fix.command).toMatchObject({ command: 'lanewise.fixed', arguments: [uri] });
  });
});

it('counters of long lines stand above them, or are a number alone', () => {
  const columns = [40, 118, 110, 119, 20];
  const texts = [1, 2, 3].map((line) => ({ line, text: '4.5× ideal sectors · 9 % of instructions' }));
  expect([...placed(texts, (line) => columns[line], 120)]).toEqual([
    [1, { at: 0, text: '↓ 4.5× ideal sectors · 9 % of instructions' }],
    [2, { at: 2, text: '4.5×' }],
    [3, { at: 3, text: '4.5×' }],
  ]);
  const short = { line: 4, text: '4.5× ideal sectors · 9 % of instructions' };
  expect(placed([short], () => 90, 120).get(4)).toEqual({ at: 4, text: '4.5× ideal sectors' });
  const atomics = { line: 4, text: 'atomics with 4.8 lanes on one address · 31 % of instructions' };
  expect(placed([atomics], (line) => (line === 4 ? 118 : 90), 120).get(4)).toEqual({ at: 3, text: '↓ 4.8 lanes' });
  const japanese = { line: 4, text: '1 つのアドレスに 4.8 lane が集まるアトミック · 命令の 31 %' };
  expect(placed([japanese], () => 90, 108).get(4)).toEqual({ at: 4, text: '4.8 lane' });
  const share = { line: 4, text: '54 % of instructions', isKnown: false };
  expect([90, 83].map((end) => [...placed([share], () => end, 108)])).toEqual([[], [[4, { at: 4, text: share.text }]]]);
  // Korean letters are as wide as two.
  const changes = [
    { line: 4, text: '4.5 → 1.0× ideal sectors' },
    { line: 6, text: '50 % → 100 % of lanes active' },
  ];
  expect([...placed(changes, () => 32, 50)].map(([, { text }]) => text)).toEqual(['4.5 → 1.0×', '50 % → 100 %']);
  expect(placed([{ line: 4, text: '명령어의 57 %' }], () => 32, 46).get(4)).toEqual({ at: 4, text: '57 %' });
  expect([lastColumnOf(100, 1), lastColumnOf(100, 2), lastColumnOf(100, 5)]).toEqual([100, 50, 40]);
});

it('a line is found again after edits, among others that read alike', () => {
  const ran = ['int a;', '{', 'x = 1;', '}', '{', 'x = 1;', '}', 'end'];
  expect(whereNow(2, ran, ran)).toBe(2);
  expect(whereNow(5, ran, ['// new', '', ...ran])).toBe(7);
  expect(whereNow(5, ran, ran.slice(3))).toBe(2);
  expect(whereNow(7, ran, ran.slice(0, 7))).toBeUndefined();
  expect(whereNow(9, ran, ran)).toBeUndefined();
});

it('little is not said to be nothing', () => expect([0, 0.0001, 0.0123, 0.5].map(percent)).toEqual(['0 %', '< 0.1 %', '1.2 %', '50 %']));

it('a run in the terminal has the settings of the editor', () => {
  const settings: Record<string, unknown> = {
    includePaths: ['inc', '/abs'],
    defines: ['N=4'],
    'run.arguments': ['1', 'a b'],
    'run.sanitize': 'always',
  };
  const args = terminalArguments('/p/a.cu', { root: '/p', get: (name) => settings[name] });
  expect(args).toEqual(['run', '/p/a.cu', '-I', '/p/inc', '-I', '/abs', '-D', 'N=4', '--sanitize', '--', '1', 'a b']);
  const chosen = {
    name: 'r',
    description: '',
    program: '',
    files: ['/p/a.cu', '/p/b.cu'],
    args: ['7'],
    defines: ['M'],
    flags: ['--ftz=true'],
    device: undefined,
  };
  const ofRun = terminalArguments('/p/b.cu', { root: '/p', device: 'a100', chosen, get: () => undefined });
  expect(ofRun).toEqual(['run', '/p/a.cu', '/p/b.cu', '--device', 'a100', '-D', 'M', '--ftz=true', '--', '7']);
  expect(terminalArguments('/p/a.cu', { root: '/p', args: ['last'], chosen, get: () => [] }).slice(-2)).toEqual(['--', 'last']);
});

describe('a hover', () => {
  const hover = { range: { start: { line: 1, column: 2 }, end: { line: 1, column: 5 } }, markdown: '**words**', picture: '<svg>é</svg>' };

  const pageOf = (rule: string) => ({ why: `why ${rule}`, evidence: '12 of 32', uri: 'file:///page.md' });

  it('of a finding says why, with the numbers behind its rule, and where to read on', () => {
    const shown = toHover({ ...hover, rule: 'r' }, { pictures: 'light', rendersPages: false, pageOf }).contents as { value: string };
    expect(shown.value.split('\n\n').map((part) => part.slice(0, 16))).toEqual([
      '![Picture: words',
      '**words**',
      'why r',
      '12 of 32',
      '[All about r](fi',
    ]);
    expect(toHover({ ...hover, rule: 'r' }, { pictures: undefined, rendersPages: false, pageOf: () => undefined }).contents).toMatchObject({
      value: '**words**',
    });
  });

  it('takes the first paragraphs of a page and of its evidence', () => {
    expect(excerpts('# rule\n\nWhy it\nis.\n\nMore.\n\n## Evidence\n\nNumbers.\n\n## Where\n')).toEqual({
      why: 'Why it\nis.',
      evidence: 'Numbers.',
    });
    expect(excerpts('# rule\r\n\r\nWhy.\r\n')).toEqual({ why: 'Why.', evidence: undefined });
  });

  it('has brackets of code in words, and none in the text of an image, which they would end', () => {
    expect(plainText('**Access**\n\nLoad of `in[i]` in `shared`')).toBe('Load of in[i] in shared');
    const shown = toHover({ ...hover, markdown: 'Load of `in[i]`' }, { pictures: 'light', rendersPages: false, pageOf });
    expect((shown.contents as { value: string }).value).toMatch(/^!\[Picture: Load of in\(i\)\]\(data:/);
  });

  it('has its picture for clients that show pictures only', () => {
    const shown = toHover(hover, { pictures: 'light', rendersPages: false, pageOf }).contents as { value: string };
    expect(shown.value).toMatch(/^!\[Picture: words\]\(data:image\/svg\+xml;base64,[\w+/=]+\)\n\n\*\*words\*\*$/);
    expect(Buffer.from(/base64,([^)]+)/.exec(shown.value)![1], 'base64').toString()).toBe('<svg color="#3b3b3b">é</svg>');
    expect(toHover(hover, { pictures: undefined, rendersPages: false, pageOf })).toEqual({
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } },
      contents: { kind: 'markdown', value: '**words**' },
    });
  });
});

describe("a program's output", () => {
  it('is gathered, decoded across chunks and bounded', () => {
    const sent: string[] = [];
    const stream = new OutputStream((text) => sent.push(text), 4_000_000);
    const bytes = Buffer.from('a€b');
    stream.write(bytes.subarray(0, 2));
    stream.write(bytes.subarray(2));
    stream.end();
    expect(sent).toEqual(['a€b']);

    const flood = new OutputStream((text) => sent.push(text), 4_000_000);
    for (let i = 0; i < 100; i++) flood.write(Buffer.alloc(100_000, 'x'));
    flood.end();
    const total = sent.join('');
    expect(total.length).toBeLessThan(4_200_000);
    expect(total).toMatch(/the rest of the output is left out; to allow more, pass .* set lanewise\.limits\.outputMB/);
    expect(total.match(/left out/g)).toHaveLength(1);
  });
});

describe('settings', () => {
  const declared: Record<string, { default: unknown; enum?: unknown[]; type: string }> = manifest.contributes.configuration.properties;

  it('have the same defaults in package.json and in the server', () => {
    const section: Record<string, unknown> = {};
    for (const [name, { default: value }] of Object.entries(declared)) {
      const [, key, sub] = name.split('.');
      section[key] = sub ? { ...(section[key] as object), [sub]: value } : value;
    }
    expect(readSettings(section, '/ws')).toEqual(readSettings(undefined, '/ws'));
  });

  it('survive nonsense', () => {
    const nonsense = {
      device: 7,
      run: [],
      includePaths: 'x',
      defines: [1, 'A'],
      stepLimit: -1,
      limits: { files: 0, fileMiB: 'many', hostMemoryMiB: 512 },
      rules: { a: 'loud', b: 'off' },
      engine: 'gpu',
    };
    expect(readSettings(nonsense, '/ws')).toMatchObject({
      device: 'h200',
      runArguments: [],
      includePaths: [],
      defines: ['A'],
      engine: DEFAULT_ENGINE,
    });
    expect(readSettings(nonsense, '/ws').limits).toEqual(withDefaults({ hostMemoryMiB: 512 }));
    expect(readSettings(nonsense, '/ws').analyzer.rules).toEqual({ b: 'off' });
    expect(readSettings(nonsense, '/ws').stepLimit).toBe(declared['lanewise.stepLimit'].default);
  });

  it('resolve include paths in the folder', () => {
    const variable = '$'.concat('{workspaceFolder}/x');
    expect(readSettings({ includePaths: ['inc', '/abs', variable] }, '/ws').includePaths).toEqual(['/ws/inc', '/abs', '/ws/x']);
  });
});

describe('the manifest', () => {
  it('offers the engines and devices that there are', () => {
    const { 'lanewise.engine': engine, 'lanewise.device': device } = manifest.contributes.configuration.properties;
    expect([...engine.enum].sort()).toEqual([...ENGINE_NAMES].sort());
    expect(engine.default).toBe(DEFAULT_ENGINE);
    expect(device.enum).toEqual(deviceIds());
  });

  it('declares every command that lenses and menus use, and the client registers it', () => {
    const commands = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const client = readdirSync(join(root, 'client'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, 'client', name), 'utf8'))
      .join('\n');
    for (const command of commands) expect(client).toContain(`registerCommand('${command}'`);
    for (const menu of Object.values(manifest.contributes.menus) as { command: string }[][]) {
      for (const { command } of menu) expect(commands).toContain(command);
    }
  });
});
