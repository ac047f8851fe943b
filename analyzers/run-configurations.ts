/** `runs` of lanewise.json: programs of several files, and what they are run with, by name. Pure. */

export interface RunConfiguration {
  readonly name: string;
  /** As written, relative to the folder of the lanewise.json; the first one names the program. */
  readonly files: readonly string[];
  readonly args?: readonly string[];
  /** File for the standard input. */
  readonly stdin?: string;
  /** What the program's relative paths refer to, and where it may write; the folder of its first file unless given. */
  readonly folder?: string;
  /** NAME or NAME=VALUE, after those of the settings. */
  readonly defines?: readonly string[];
  /** nvcc's options for floating-point arithmetic, as `lanewise run` takes them. */
  readonly flags?: readonly string[];
  readonly device?: string;
}

const KEYS = ['files', 'args', 'stdin', 'folder', 'defines', 'flags', 'device'];
const FLAG = /^--?(use_fast_math|(fmad|ftz|prec-div|prec-sqrt)=(true|false))$/;

/** `refuse` throws: what is wrong, and the key or value that it is about. */
export function checkedRuns(
  runs: unknown,
  devices: readonly string[],
  refuse: (message: string, about: unknown) => never,
): RunConfiguration[] {
  if (!isObject(runs))
    refuse('runs must be an object, such as { "small": { "files": ["main.cu", "kernels.cu"], "args": ["64"] } }', 'runs');
  return Object.entries(runs as Record<string, unknown>).map(([name, value]) => {
    if (!isObject(value)) refuse(`${name} must be an object with "files"`, name);
    const configuration = value as Record<string, unknown>;
    const unknown = Object.keys(configuration).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) refuse(`unknown setting "${unknown}" of the run "${name}"; choose ${KEYS.join(', ')}`, unknown);
    const { files, args, stdin, folder, defines, flags, device } = configuration;
    if (!isTexts(files) || files.length === 0)
      refuse(`files of the run "${name}" must be a list of source files, such as ["main.cu"]`, name);
    if (args !== undefined && !isTexts(args)) refuse(`args of the run "${name}" must be a list of texts`, name);
    if (defines !== undefined && !isTexts(defines)) refuse(`defines of the run "${name}" must be a list such as ["N=64"]`, name);
    if (flags !== undefined && !(isTexts(flags) && flags.every((flag) => FLAG.test(flag))))
      refuse(`flags of the run "${name}" must be of --use_fast_math and --fmad, --ftz, --prec-div, --prec-sqrt=true or false`, name);
    if (stdin !== undefined && typeof stdin !== 'string') refuse(`stdin of the run "${name}" must be the name of a file`, name);
    if (folder !== undefined && typeof folder !== 'string') refuse(`folder of the run "${name}" must be the name of a folder`, name);
    if (device !== undefined && !(typeof device === 'string' && devices.includes(device)))
      refuse(`${JSON.stringify(device)} is not a device; choose ${devices.join(', ')}`, device);
    return { name, files, args, stdin, folder, defines, flags, device } as RunConfiguration;
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
