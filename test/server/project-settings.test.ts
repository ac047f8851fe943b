/** A lanewise.json above the open files: it wins over the editor's settings, and its changes and errors show. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { CompileCommands } from '../../project/compile-commands.ts';
import { readSettings, withCommands } from '../../server/settings.ts';
import { Editor } from './editor.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-project-')));
const projectFile = join(folder, 'lanewise.json');
const projectUri = pathToFileURL(projectFile).href;
const source = join(folder, 'sub/spread.cu');
const text = '__global__ void spread(float* v) { v[threadIdx.x * 32] *= 1.1; }\nvoid run(float* v) { spread<<<1, 256>>>(v); }\n';

const severityOf = (rule: string) => (list: Diagnostic[]) => list.find(({ code }) => code === rule)?.severity;
const strided = severityOf('uncoalesced-access');
const literal = severityOf('double-literal');

mkdirSync(join(folder, 'sub'));
writeFileSync(source, text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([{ watch: true }, { watch: false }])('a client that watches files: $watch', ({ watch }) => {
  let editor: Editor;
  let uri: string;
  beforeAll(async () => {
    writeFileSync(projectFile, '{ "rules": { "uncoalesced-access": "error" } }');
    editor = await Editor.start({ watch, settings: { rules: { 'uncoalesced-access': 'off', 'double-literal': 'error' } } });
    uri = editor.open(source);
  });
  afterAll(() => editor.stop());
  const write = (json: string) => {
    writeFileSync(projectFile, json);
    if (watch) editor.fileChanged(projectUri);
    else editor.save(uri);
  };

  it('hears which files count', async () => {
    await editor.pushed(uri);
    if (watch) await editor.until(() => editor.watched.length > 0);
    expect(editor.watched).toEqual(
      watch ? ['**/{lanewise.json,compile_commands.json,Makefile,makefile,GNUmakefile}', expect.stringContaining('cuh')] : [],
    );
  });

  it('sees the file win for the rules that it names, and the settings for the others', async () => {
    const found = await editor.pushed(uri);
    expect(strided(found)).toBe(1);
    expect(literal(found)).toBe(1);
  });

  it('sees changes of the file', async () => {
    write('{ "rules": { "uncoalesced-access": "hint" } }');
    await editor.pushed(uri, (list) => strided(list) === 4);
    write('{ "rules": { "uncoalesced-access": "warning", "double-literal": "off" } }');
    const found = await editor.pushed(uri, (list) => strided(list) === 2);
    expect(literal(found)).toBeUndefined();
  });

  it('learns which device a run would simulate, and for which version of CUDA', async () => {
    write('{ "device": "a100", "cudaVersion": "11.4" }');
    await expect.poll(() => editor.device(uri)).toBe('a100');
    expect(await editor.cudaVersion(uri)).toBe('11.4');
  });

  it('sees what is wrong in it, there; the file is ignored until it is mended, or gone', async () => {
    write('{\n  "rules": { "uncoalesced-acess": "error" }\n}');
    const [problem] = await editor.pushed(projectUri, (list) => list.length > 0);
    expect(problem).toMatchObject({
      source: 'lanewise',
      severity: 1,
      message: expect.stringContaining('unknown rule "uncoalesced-acess"'),
    });
    expect(problem.range).toEqual({ start: { line: 1, character: 13 }, end: { line: 1, character: 32 } });
    const found = await editor.pushed(uri, (list) => literal(list) === 1);
    expect(strided(found)).toBeUndefined();

    write('{ "rules": { "uncoalesced-access": "error" } }');
    await editor.pushed(projectUri, (list) => list.length === 0);
    await editor.pushed(uri, (list) => strided(list) === 1);

    rmSync(projectFile);
    if (watch) editor.fileChanged(projectUri);
    else editor.save(uri);
    await editor.pushed(uri, (list) => strided(list) === undefined && literal(list) === 1);
  });

  it('is told of a broken file when it opens a document, and not any more when it has closed it', async () => {
    editor.close(uri);
    writeFileSync(projectFile, '{');
    editor.open(source);
    await editor.pushed(projectUri, (list) => list.length === 1);
    editor.close(uri);
    await editor.pushed(projectUri, (list) => list.length === 0);
  });
});

it('a run of lanewise.json has its working folder, inside the project', { timeout: 60_000 }, async () => {
  const root = join(folder, 'working');
  mkdirSync(join(root, 'data'), { recursive: true });
  writeFileSync(join(root, 'data/in.txt'), 'read');
  const program = [
    '#include <cstdio>',
    'int main() {',
    '  char word[8] = "";',
    '  if (FILE* in = fopen("in.txt", "r")) fscanf(in, "%7s", word);',
    '  puts(word);',
    '}',
  ].join('\n');
  writeFileSync(join(root, 'reads.cu'), program);
  const runs = { there: { files: ['reads.cu'], folder: 'data' }, outside: { files: ['reads.cu'], folder: '..' } };
  writeFileSync(join(root, 'lanewise.json'), JSON.stringify({ runs }));
  const editor = await Editor.start({ folder: root, extension: true });
  const uri = editor.open(join(root, 'reads.cu'));
  expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
  expect(editor.output.join('')).toBe('read\n');
  const offered = await editor.connection.sendRequest<{ name: string; folder: string }[]>('lanewise/runs', { uri });
  expect(offered.map(({ name, folder: working }) => [name, working])).toEqual([['there', join(root, 'data')]]);
  await editor.stop();
});

describe('a compile_commands.json', () => {
  it('says where headers are and what macros mean, and is heard when it changes', async () => {
    const root = join(folder, 'commanded');
    const file = join(root, 'src/steps.cu');
    const commands = join(root, 'build/compile_commands.json');
    mkdirSync(join(root, 'headers'), { recursive: true });
    mkdirSync(join(root, 'src'));
    mkdirSync(join(root, 'build'));
    writeFileSync(join(root, 'headers/step.h'), '#define STEP 32\n');
    writeFileSync(file, `#include <step.h>\n${text.replace('32', 'STEP')}`);
    const command = (...flags: string[]) =>
      JSON.stringify([{ directory: join(root, 'build'), file: '../src/steps.cu', arguments: ['nvcc', ...flags] }]);
    writeFileSync(commands, command('-DOTHER=1', '-I', '../headers', '-O3'));
    const editor = await Editor.start({ watch: true, folder: root });
    const uri = editor.open(file);
    const says = (what: string) => (list: Diagnostic[]) => list.some(({ message }) => String(message).includes(what));
    await editor.pushed(uri, says('128 bytes apart'));
    writeFileSync(commands, command('-I', '../elsewhere'));
    editor.fileChanged(pathToFileURL(commands).href);
    await editor.pushed(uri, says('STEP × 4 bytes apart'));
    await editor.stop();
    const options = new CompileCommands();
    writeFileSync(commands, command('-D', 'A="b c"', '-DB', '-I../headers', '-isystem', '/usr/include'));
    expect(options.of(file, root)).toEqual({
      includePaths: [join(root, 'headers'), '/usr/include'],
      includable: [join(root, 'headers')],
      defines: ['A="b c"', 'B'],
      programs: [],
    });
    expect(options.haveChanged()).toBe(false);
    writeFileSync(commands, 'no list at all');
    expect(options.haveChanged()).toBe(true);
    expect(options.of(file, root)).toBeUndefined();
    expect(options.of(source, root)).toBeUndefined();
  });

  it('says more than a Makefile, which counts where it says things plainly', () => {
    const root = join(folder, 'made');
    const file = join(root, 'src/steps.cu');
    mkdirSync(join(root, 'src'), { recursive: true });
    mkdirSync(join(root, 'common'));
    const makefile = [
      'CC = nvcc',
      'CFLAGS := $(EXTRA) -DREAL=double -I../common \\',
      '          -DNAME=\'"a b"\' -I $(CUDA)/include -DN=$(N) -I../../elsewhere # -DOUT',
      'ifeq ($(DEBUG), yes)',
      '  CFLAGS += -DDEBUG',
      'endif',
      'FLAGS=-DALONE',
      'first: ; $(CC) $(CFLAGS) -DWIDTH=1 steps.cu',
      'second: ; $(CC) $(CFLAGS) -DWIDTH=2 steps.cu',
    ];
    writeFileSync(join(root, 'src/Makefile'), makefile.join('\n'));
    const options = new CompileCommands();
    expect(options.of(file, root)).toEqual({
      includePaths: [join(root, 'common'), join(folder, 'elsewhere')],
      includable: [join(root, 'common')],
      defines: ['REAL=double', 'NAME="a b"', 'ALONE'],
      programs: [],
    });
    writeFileSync(join(root, 'src/Makefile'), 'CFLAGS = -DREAL=float');
    expect(options.haveChanged()).toBe(true);
    expect(options.of(file, root)?.defines).toEqual(['REAL=float']);
    const entry = { directory: root, file: 'src/steps.cu', arguments: ['nvcc', '-DREAL=half'] };
    writeFileSync(join(root, 'compile_commands.json'), JSON.stringify([entry]));
    expect(options.of(file, root)?.defines).toEqual(['REAL=half']);
  });

  it('says which sources are one program, by the targets of CMake', () => {
    const root = join(folder, 'targets');
    mkdirSync(join(root, 'build'), { recursive: true });
    const sources: Record<string, string> = {
      'scale.cu': '__global__ void scale() {}',
      'app.cpp': 'int main(int, char**) {}',
      'check.cu': 'int main() {}',
      'alone.cu': 'int main() {}',
      '../main.cpp': 'int main() {}',
    };
    for (const [name, content] of Object.entries(sources)) writeFileSync(join(root, name), content);
    const entry = (target: string, name: string, by: 'output' | 'command') => {
      const object = `CMakeFiles/${target}.dir/${name}.o`;
      const how = by === 'output' ? { output: object, command: 'nvcc' } : { command: `nvcc -O3 -o ${object} -c ../${name}` };
      return { directory: join(root, 'build'), file: `../${name}`, ...how };
    };
    const entries = [
      entry('app', 'scale.cu', 'command'),
      entry('app', 'app.cpp', 'command'),
      entry('check', 'scale.cu', 'output'),
      entry('check', 'check.cu', 'output'),
      // A program of one file, a library, two programs in one, and a source from elsewhere.
      entry('alone', 'alone.cu', 'output'),
      entry('library', 'scale.cu', 'output'),
      entry('both', 'check.cu', 'output'),
      entry('both', 'alone.cu', 'output'),
      entry('other', 'scale.cu', 'output'),
      entry('other', '../main.cpp', 'output'),
    ];
    writeFileSync(join(root, 'build/compile_commands.json'), JSON.stringify(entries));
    const programs = (name: string) => new CompileCommands().of(join(root, name), root)?.programs;
    const files = (...names: string[]) => names.map((name) => join(root, name));
    expect(programs('scale.cu')).toEqual([
      { name: 'app', files: files('app.cpp', 'scale.cu') },
      { name: 'check', files: files('check.cu', 'scale.cu') },
    ]);
    expect(programs('alone.cu')).toEqual([]);
    expect(withCommands(readSettings({}, root), new CompileCommands().of(join(root, 'app.cpp'), root), join(root, 'app.cpp')).runs).toEqual(
      [{ name: 'app', files: files('app.cpp', 'scale.cu') }],
    );
  });
});
