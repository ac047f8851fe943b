/**
 * Include folders, macros and lists of sources that a Makefile gives its sources in so many words: in variables, and in commands that
 * compile; and the arguments that `make run` gives the program that is built. What hangs on other variables, conditions, targets or the output of programs is left out, and so is a macro that has several
 * values: such files say different things of different targets.
 */
import { resolve } from 'node:path';
import { optionsOf, shellWords } from './source-options.ts';

type MakefileOption = readonly [option: '-I' | '-D', value: string];

/** Paths are taken from `folder`, the Makefile's own. */
export function makefileOptions(text: string, folder: string): readonly MakefileOption[] {
  const directory = resolve(folder);
  const commands = unconditional(text.replace(/\\\r?\n/g, ' ')).flatMap(compilerWords);
  const options = commands
    .flatMap((words) => optionsOf({ directory, arguments: ['', ...words] }))
    .flatMap(([option, value]): MakefileOption[] =>
      option === '-I' || (option === '-D' && /^[A-Za-z_]\w*(=|$)/.test(value)) ? [[option, value]] : [],
    );
  const values = new Map<string, Set<string>>();
  for (const [option, value] of options)
    if (option === '-D') values.set(nameOf(value), (values.get(nameOf(value)) ?? new Set()).add(value));
  return options.filter(([option, value]) => !value.includes('$') && (option === '-I' || values.get(nameOf(value))!.size === 1));
}

const SOURCE = /^[^$]+\.(?:cu|cpp|cc|cxx|c\+\+|c)$/i;
const OBJECT = /^[^$]+\.o$/;

/**
 * What is made of several files: values of variables that list sources or objects and nothing else (`SRCS = main.cu kernels.cu`), and what a
 * command that compiles is given. As written.
 */
export function makefileSources(text: string): readonly (readonly string[])[] {
  return unconditional(text.replace(/\\\r?\n/g, ' ')).flatMap((line) => {
    const plain = withoutExpansions(line.replace(/(^|\s)#.*$/s, ''));
    if (plain === undefined) return [];
    const [, name, value] = ASSIGNMENT.exec(plain) ?? [];
    if (name !== undefined) {
      const words = shellWords(value);
      return words.length > 1 && [SOURCE, OBJECT].some((kind) => words.every((word) => kind.test(word))) ? [words] : [];
    }
    const commands = commandsOf(recipeOf(plain)).map((command) => compilerArguments(command).filter((word) => SOURCE.test(word)));
    return commands.filter((sources) => sources.length > 1);
  });
}

/** `run:`, its prerequisites, and what the shell gets. */
const RUN_RULE = /^run\s*:(?![:=])([^;]*)(?:;(.*))?$/s;

/**
 * Arguments that `make run` gives the program of a source: of the first command of the target `run` that runs, by its path, what `run` has as
 * a prerequisite and gives it some. Nothing where they hang on anything but words, or the Makefile does not name the source.
 */
export function makefileArguments(text: string, stem: string): readonly string[] | undefined {
  const lines = unconditional(text.replace(/\\\r?\n/g, ' ')).map((line) => withoutExpansions(line.replace(/(^|\s)#.*$/s, '')) ?? '');
  const named = lines.flatMap(shellWords).some((word) => [`${stem}.cu`, `${stem}.o`].includes(word.replace(/^.*[/\\=]/s, '')));
  const at = lines.findIndex((line) => RUN_RULE.test(line));
  if (!named || at < 0) return undefined;
  const [, prerequisites, first] = RUN_RULE.exec(lines[at])!;
  const after = lines.slice(at + 1);
  const end = after.findIndex((line) => !line.startsWith('\t') && line.trim() !== '');
  const recipe = [...(first === undefined ? [] : [first]), ...after.slice(0, end < 0 ? undefined : end)];
  const built = new Set(shellWords(prerequisites).map(withoutDot));
  for (const command of recipe.flatMap((line) => commandsOf(line.replace(/^[\s@+-]+/, '')))) {
    const program = command.findIndex((word) => !PREFIX.test(word));
    const args = command.slice(program + 1);
    if (program < 0 || args.length === 0 || !/^(\.\/|\/)/.test(command[program]) || !built.has(withoutDot(command[program]))) continue;
    return args.some((word) => /[$*?~]/.test(word)) ? undefined : args;
  }
  return undefined;
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, '');
}

function nameOf(macro: string): string {
  return macro.replace(/=.*$/s, '');
}

function unconditional(text: string): string[] {
  let depth = 0;
  return text.split(/\r?\n/).filter((line) => {
    if (/^\s*(ifeq|ifneq|ifdef|ifndef|(override\s+)?define)\b/.test(line)) depth++;
    const isKept = depth === 0;
    if (/^\s*(endif|endef)\b/.test(line)) depth--;
    return isKept;
  });
}

/** A variable for all targets; what `!=` assigns is a program's output. */
const ASSIGNMENT = /^ *(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?::{0,3}|[+?])=(.*)$/s;

/** Words that a line gives compilers, for each command. */
function compilerWords(line: string): string[][] {
  const plain = withoutExpansions(line.replace(/(^|\s)#.*$/s, ''));
  if (plain === undefined) return [];
  const [, name, value] = ASSIGNMENT.exec(plain) ?? [];
  const commands = name === undefined ? commandsOf(recipeOf(plain)).map(compilerArguments) : [assignedWords(name, value)];
  return commands.map(withoutTools);
}

/** Of options, or of a command that compiles. */
function assignedWords(name: string, value: string): readonly string[] {
  const [words = []] = commandsOf(value);
  const [first = ''] = words;
  if (/cmake/i.test(name) || /cmake/i.test(first)) return [];
  return /^[-$]/.test(first) ? words : compilerArguments(words);
}

/** What the shell gets: the line behind a tab, or behind the semicolon of a rule. */
function recipeOf(line: string): string {
  const end = line.indexOf(';');
  const rule = line.slice(0, Math.max(end, 0));
  const isRule = rule.includes(':') && !rule.includes('=');
  const recipe = line.startsWith('\t') ? line : isRule ? line.slice(end + 1) : '';
  return recipe.replace(/^[\s@+-]+/, '');
}

/** Deeper ones are nobody's. */
const MOST_NESTED = 8;
const EXPANSION = /\$\(([^()]*)\)|\$\{([^{}]*)\}|\$[@<^*+?%|]|`[^`]*`/g;

/** `$NAME` for a variable, `$.` for all else that make or the shell puts in. Nothing where that or a quotation has no end. */
function withoutExpansions(line: string): string | undefined {
  let plain = line;
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    plain = plain.replace(EXPANSION, (_, round?: string, curly?: string) => {
      const name = round ?? curly ?? '';
      return /^\w+$/.test(name) ? `$${name}` : '$.';
    });
  }
  const unquoted = plain.replace(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/gs, '');
  return /\$[({]|`/.test(plain) || /["']/.test(unquoted) ? undefined : plain;
}

const COMMANDS = /(?:\\.|"(?:[^"\\]|\\.)*"|'[^']*'|[^;|&"'\\])+/gs;
const BEFORE_REDIRECTION = /^(?:\\.|"(?:[^"\\]|\\.)*"|'[^']*'|[^<>"'\\])*/s;
/** Behind these, commands run elsewhere or under a condition. */
const TURN = /^(cd|pushd|test|\[|\[\[|if|for|while|until|case)$|^[({!]/;

/** Words of the commands that a line runs in any case, without what follows a redirection. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const commands = Array.from(line.matchAll(COMMANDS), ([command]) => shellWords(BEFORE_REDIRECTION.exec(command)![0]));
  const turn = commands.findIndex(([program = '']) => TURN.test(program));
  return turn < 0 ? commands : commands.slice(0, turn);
}

/** By name, with the target before it and the version behind it, or by a variable. */
const COMPILER =
  /^(?:[\w.]+-)*(?:nvcc|nvc|nvc\+\+|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-cl|cl|icc|icpc|icx|icpx|dpcpp|hipcc|mpicc|mpicxx|mpic\+\+|pgcc|pgc\+\+)(?:-[\d.]+)?(?:\.exe)?$/;
const COMPILER_VARIABLE = /\$(?:\w*_)?(?:\w{0,4}CC|\w{0,4}CXX|CPP|CLANG|CLANGXX|ICPX|COMPILER)$/i;
/** `NAME=value`, a variable or a program before the one that it runs. */
const PREFIX = /^(?:\w+=.*|\$\w+|ccache|sccache|distcc|time|env|exec|command|nice)$/s;

/** Nothing for other programs: an option's letter means something else there. */
function compilerArguments(command: readonly string[]): readonly string[] {
  const isCompiler = (word: string) => COMPILER.test(word.replace(/^.*[/\\]/s, '')) || COMPILER_VARIABLE.test(word);
  const at = command.findIndex((word) => isCompiler(word) || !PREFIX.test(word));
  return at >= 0 && isCompiler(command[at]) ? command.slice(at + 1) : [];
}

/** Without what nvcc hands to other programs; the host's compiler takes its own apart at blanks and commas. */
function withoutTools(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let k = 0; k < words.length; k++) {
    const [, tool, joined] = /^--?(X\w+|compiler-options|linker-options|ptxas-options)(?:=(.*))?$/s.exec(words[k]) ?? [];
    if (tool === undefined) kept.push(words[k]);
    else {
      const options = joined ?? words[++k] ?? '';
      if (/^(Xcompiler|compiler-options)$/.test(tool)) kept.push(...shellWords(options.replaceAll(',', ' ')));
    }
  }
  return kept;
}
