/**
 * NVRTC: compiles device code while the program runs. Clang is in another process, so the program's thread asks for it and waits. What
 * comes of it is a module of the program, and its image names it.
 */
import type { FloatRules } from '../ir/float-rules.ts';
import { floatRulesOf } from '../options/float-flags.ts';
import { STANDARDS, type Standard } from '../options/standards.ts';
import type { CudaContext, Functions } from './cuda-context.ts';
import type { DeviceUnit } from './device-program.ts';
import type { DriverModules } from './driver-modules.ts';

/** Device code to be compiled. */
export interface DeviceSource {
  readonly name: string;
  readonly text: string;
  /** Texts of headers by the names that they are included by. */
  readonly headers: Readonly<Record<string, string>>;
  readonly includeDirs: readonly string[];
  readonly defines: readonly string[];
  readonly standard?: Standard;
}

/** `module`: its IR; without it, it has errors. */
export interface CompiledSource {
  readonly module?: string;
  readonly log: string;
}

export interface DeviceCompiler {
  compile(source: DeviceSource): CompiledSource;
  /** A module becomes part of the program. */
  add(module: string, floats: FloatRules): DeviceUnit;
}

const RESULT = {
  success: 0,
  invalidInput: 3,
  invalidProgram: 4,
  invalidOption: 5,
  compilation: 6,
  namesAfter: 8,
  namesBefore: 9,
  nameNotValid: 10,
} as const;
const ERRORS = [
  ...['NVRTC_SUCCESS', 'NVRTC_ERROR_OUT_OF_MEMORY', 'NVRTC_ERROR_PROGRAM_CREATION_FAILURE', 'NVRTC_ERROR_INVALID_INPUT'],
  ...['NVRTC_ERROR_INVALID_PROGRAM', 'NVRTC_ERROR_INVALID_OPTION', 'NVRTC_ERROR_COMPILATION', 'NVRTC_ERROR_BUILTIN_OPERATION_FAILURE'],
  ...['NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION', 'NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION'],
  ...['NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID', 'NVRTC_ERROR_INTERNAL_ERROR', 'NVRTC_ERROR_TIME_FILE_WRITE_FAILED'],
];
/** As CUDART_VERSION has it, and what that version compiles for. */
const VERSION = [12, 8] as const;
const ARCHITECTURES = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120];

interface Program {
  readonly source: Pick<DeviceSource, 'name' | 'text' | 'headers'>;
  readonly names: string[];
  /** Of each name expression, once it is compiled. */
  readonly lowered: Map<string, string>;
  log: string;
  /** What stands for the machine code. */
  image?: string;
  isCompiled: boolean;
}

export function nvrtcFunctions({ host }: CudaContext, modules: DriverModules, compiler: DeviceCompiler): Functions {
  const programs = new Map<number, Program>();
  let next = 0x30000;
  const texts = (count: number, at: number): string[] => {
    const all: string[] = [];
    for (let k = 0; k < count; k++) all.push(host.text(host.u64(at + 8 * k)));
    return all;
  };
  const of = (handle: number, call: (program: Program) => number): number => {
    const program = programs.get(handle);
    return program ? call(program) : RESULT.invalidProgram;
  };
  const bytes = (text: string) => new TextEncoder().encode(`${text}\0`);
  /** A pair of functions that give the size of a text and the text. */
  const gives = (name: string, textOf: (program: Program) => string | undefined): Functions => ({
    [`nvrtcGet${name}Size`]: (handle, out) =>
      of(handle, (program) => {
        const text = textOf(program);
        if (text === undefined) return RESULT.invalidProgram;
        host.setU64(out, bytes(text).length);
        return RESULT.success;
      }),
    [`nvrtcGet${name}`]: (handle, out) =>
      of(handle, (program) => {
        const text = textOf(program);
        if (text === undefined) return RESULT.invalidProgram;
        host.write(out, bytes(text));
        return RESULT.success;
      }),
  });
  return {
    nvrtcGetErrorString: (code) => host.keep(ERRORS[code] ?? 'NVRTC_ERROR unknown'),
    nvrtcVersion: (major, minor) => {
      host.setU32(major, VERSION[0]);
      host.setU32(minor, VERSION[1]);
      return RESULT.success;
    },
    nvrtcGetNumSupportedArchs: (out) => {
      host.setU32(out, ARCHITECTURES.length);
      return RESULT.success;
    },
    nvrtcGetSupportedArchs: (out) => {
      for (const [k, each] of ARCHITECTURES.entries()) host.setU32(out + 4 * k, each);
      return RESULT.success;
    },
    nvrtcCreateProgram: (out, text, name, count, headers, includeNames) => {
      if (text === 0) return RESULT.invalidInput;
      const included = texts(count, includeNames);
      const source = {
        name: name === 0 || host.text(name) === '' ? 'default_program' : host.text(name),
        text: host.text(text),
        headers: Object.fromEntries(texts(count, headers).map((header, k) => [included[k], header])),
      };
      next += 0x10;
      programs.set(next, { source, names: [], lowered: new Map(), log: '', isCompiled: false });
      host.setU64(out, next);
      return RESULT.success;
    },
    nvrtcDestroyProgram: (at) => {
      if (!programs.delete(host.u64(at))) return RESULT.invalidProgram;
      host.setU64(at, 0);
      return RESULT.success;
    },
    nvrtcAddNameExpression: (handle, expression) =>
      of(handle, (program) => {
        if (program.isCompiled) return RESULT.namesAfter;
        program.names.push(host.text(expression));
        return RESULT.success;
      }),
    nvrtcCompileProgram: (handle, count, options) =>
      of(handle, (program) => {
        const read = optionsOf(texts(count, options));
        if (typeof read === 'string') {
          program.log = `nvrtc: error: unrecognized option ${read} found\n`;
          return RESULT.invalidOption;
        }
        program.isCompiled = true;
        return compile(program, read, { modules, compiler });
      }),
    nvrtcGetLoweredName: (handle, expression, out) =>
      of(handle, ({ isCompiled, lowered }) => {
        if (!isCompiled) return RESULT.namesBefore;
        const name = lowered.get(host.text(expression));
        if (name === undefined) return RESULT.nameNotValid;
        host.setU64(out, host.keep(name));
        return RESULT.success;
      }),
    ...gives('PTX', ({ image }) => image),
    ...gives('CUBIN', ({ image }) => image),
    ...gives('ProgramLog', ({ log }) => log),
  };
}

interface Options extends Pick<DeviceSource, 'includeDirs' | 'defines' | 'standard'> {
  /** Lines that come before the text. */
  readonly before: readonly string[];
  readonly floats: FloatRules;
}

interface Made {
  readonly modules: DriverModules;
  readonly compiler: DeviceCompiler;
}

/** Name expressions are asked of the compiler: a variable is set to each. */
function compile(program: Program, { floats, before, ...options }: Options, { modules, compiler }: Made): number {
  const { source, names } = program;
  const asked = names.map((name, k) => `\nextern "C" __device__ const void* ${asking(k)} = (const void*)(${name});`).join('');
  const text = [...before, ...(before.length > 0 ? ['#line 1'] : []), source.text].join('\n') + asked;
  const { module, log } = compiler.compile({ ...source, text, ...options });
  program.log = log;
  if (module === undefined) return RESULT.compilation;
  for (const [k, name] of names.entries()) {
    const symbol = new RegExp(`^@${asking(k)} = .*@"?([\\w$.]+)"?[^@]*$`, 'm').exec(module)?.[1];
    if (symbol) program.lowered.set(name, symbol);
  }
  const unit = compiler.add(module.replace(new RegExp(`^@${ASKING}\\d+ = .*\\n`, 'gm'), ''), floats);
  program.image = modules.imageOfUnit(unit);
  return RESULT.success;
}

const ASKING = '__lanewise_name_';
const asking = (index: number) => `${ASKING}${index}`;

/** NVRTC's options that are there or not, by either name. */
const SWITCHES = new Set([
  ...['device-c', 'dc', 'device-w', 'dw', 'extensible-whole-program', 'ewp', 'device-debug', 'G', 'generate-line-info', 'lineinfo'],
  ...['use_fast_math', 'extra-device-vectorization', 'dlink-time-opt', 'dlto', 'gen-opt-lto', 'optix-ir', 'no-cache', 'minimal'],
  ...['no-source-include', 'disable-warnings', 'w', 'restrict', 'device-as-default-execution-space', 'default-device'],
  ...['device-int128', 'device-float128', 'display-error-number', 'err-no', 'no-display-error-number', 'no-err-no'],
  ...['fdevice-syntax-only', 'pch'],
]);
/** Those with a value, behind `=` or as a word of its own. */
const VALUED = new Set([
  ...['gpu-architecture', 'arch', 'relocatable-device-code', 'rdc', 'dopt', 'Ofast-compile', 'Ofc', 'ptxas-options', 'Xptxas'],
  ...['maxrregcount', 'ftz', 'prec-sqrt', 'prec-div', 'fmad', 'modify-stack-limit', 'jump-table-density', 'jtd'],
  ...['device-stack-protector', 'frandom-seed', 'define-macro', 'D', 'undefine-macro', 'U', 'include-path', 'I'],
  ...['pre-include', 'include', 'std', 'builtin-move-forward', 'builtin-initializer-list', 'optimization-info', 'opt-info'],
  ...['diag-error', 'diag-suppress', 'diag-warn', 'brief-diagnostics', 'brief-diag', 'time', 'split-compile', 'fdevice-time-trace'],
  ...['version-ident', 'dQ', 'create-pch', 'use-pch', 'pch-dir', 'pch-verbose', 'pch-messages', 'instantiate-templates-in-pch'],
]);

/** Functions that do not say where they are executed are then for both sides, of which the device's is compiled. */
const DEVICE_BY_DEFAULT = /^--(default-device|device-as-default-execution-space)$/;

/** What the options say, and how its floating-point arithmetic is; the first word that is no option. Others say for what or how well. */
function optionsOf(words: readonly string[]): Options | string {
  const [includeDirs, preIncludes, flags]: [string[], string[], string[]] = [[], [], []];
  /** By their names: the last word on each counts. Without a definition, they are not to be. */
  const macros = new Map<string, string | undefined>();
  let standard: Standard | undefined;
  for (let k = 0; k < words.length; k++) {
    const word = words[k].trim();
    if (word === '') continue;
    const [, name = '', joined] = /^-([DUI])(?![=\s])(.+)$/.exec(word) ?? /^--?([\w-]+)(?:(?:=|\s+)(.*))?$/.exec(word) ?? [];
    if (joined === undefined && SWITCHES.has(name)) {
      flags.push(`--${name}`);
      continue;
    }
    const value = joined ?? words[k + 1]?.trim();
    if (!VALUED.has(name) || value === undefined) return word;
    if (joined === undefined) k++;
    flags.push(`--${name}=${value}`);
    if (name === 'D' || name === 'define-macro') macros.set(value.split(/[=(]/)[0], value);
    else if (name === 'U' || name === 'undefine-macro') macros.set(value, undefined);
    else if (name === 'I' || name === 'include-path') includeDirs.push(value);
    else if (name === 'pre-include' || name === 'include') preIncludes.push(value);
    else if (name === 'std') standard = STANDARDS.find((each) => each === value);
  }
  return {
    includeDirs,
    defines: [...macros.values()].filter((define) => define !== undefined),
    before: [
      ...[...macros].flatMap(([name, define]) => (define === undefined ? [`#undef ${name}`] : [])),
      ...(flags.some((flag) => DEVICE_BY_DEFAULT.test(flag)) ? ['#pragma clang force_cuda_host_device begin'] : []),
      ...preIncludes.map((header) => `#include "${header}"`),
    ],
    standard,
    floats: floatRulesOf(flags),
  };
}
