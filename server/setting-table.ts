/**
 * The editor's settings, each declared once: settings.ts reads them, and `npm run generate` writes their schema in package.json and the table
 * in docs/settings.md from here.
 */
import { DEFAULT_CUDA_VERSION } from '../analyzers/analyzer.ts';
import { SEVERITIES } from '../analyzers/project-settings.ts';
import { LINE_METRICS } from '../counters/line-metrics.ts';
import { deviceIds, deviceNamed } from '../devices/devices.ts';
import { DEFAULT_ENGINE, DEFAULT_STEP_LIMIT, ENGINE_NAMES, type EngineName } from '../simulator/options/defaults.ts';
import { type LimitName, RUN_LIMITS } from '../simulator/options/limits.ts';

interface Declaration {
  /** JSON schema of the value. What does not fit it counts as not set. */
  readonly schema: SettingSchema;
  readonly default: unknown;
  /** The schema's values are suggestions: others are refused where they are used, with a message. */
  readonly takesOthers?: true;
  /** `machine`: a workspace cannot set it. */
  readonly scope: 'resource' | 'machine' | 'window';
  /** Markdown, for the settings of VS Code. */
  readonly description: string;
  /** Markdown for docs/settings.md, if that says it in another way. */
  readonly inDocs?: string;
}

export interface SettingSchema {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly items?: { readonly type: 'string' };
  readonly additionalProperties?: { readonly type: 'string'; readonly enum: readonly string[] };
}

const TEXTS = { type: 'array', items: { type: 'string' } } as const;

const ENGINE_DESCRIPTIONS: Readonly<Record<EngineName, string>> = {
  compiler: 'Compiles kernels to WebAssembly. Fast.',
  interpreter: 'Interprets kernels instruction by instruction. Slow, for comparison.',
};

export type LanguageFeatures = 'auto' | 'on' | 'off';
const LANGUAGE_FEATURES: readonly LanguageFeatures[] = ['auto', 'on', 'off'];
const LANGUAGE_FEATURES_DESCRIPTIONS: Readonly<Record<LanguageFeatures, string>> = {
  auto: "Unless clangd's or Microsoft's extension for C and C++ is there.",
  on: 'Always.',
  off: 'Never.',
};

/** A limit of runs: the user's to set, since a workspace that may raise it has none. */
function limit(name: LimitName) {
  const description = `Most ${RUN_LIMITS[name].what}. User settings only: a workspace cannot set this.`;
  return { schema: { type: 'number', minimum: 1 }, default: RUN_LIMITS[name].default, scope: 'machine', description } as const;
}

/** By name behind `lanewise.`, in the order in which they are shown. */
export const SETTINGS = {
  device: {
    schema: { type: 'string', enum: deviceIds(), enumDescriptions: deviceIds().map(deviceDescription) },
    takesOthers: true,
    default: deviceIds()[0],
    scope: 'resource',
    description: 'The GPU to simulate, whose limits are checked.',
    inDocs: 'As `device` above.',
  },
  'run.arguments': {
    schema: TEXTS,
    default: [],
    scope: 'resource',
    description: 'Arguments to pass to the program when it runs in the simulator.',
  },
  'run.stdin': {
    schema: { type: 'string' },
    default: '',
    scope: 'resource',
    description:
      'A file that programs read as their standard input, relative to the workspace folder. Unless it is set, VS Code asks for each line that a program reads.',
  },
  'run.allowRead': {
    schema: TEXTS,
    default: [],
    scope: 'machine',
    description:
      'Absolute paths of folders that programs may read in the simulator, besides the folders of their source files. User settings only: a workspace cannot set this.',
  },
  'run.allowWrite': {
    schema: TEXTS,
    default: [],
    scope: 'machine',
    description:
      'Absolute paths of folders that programs may write in the simulator, besides the folder of the file that is run. Names that begin with a dot and `node_modules` stay read-only. User settings only: a workspace cannot set this.',
  },
  'run.everyLaunch': {
    schema: { type: 'boolean' },
    default: false,
    scope: 'resource',
    description: 'Execute every launch, even if it repeats an earlier one and would change nothing. The counters are the same.',
  },
  'run.sanitize': {
    schema: {
      type: 'string',
      enum: ['auto', 'always', 'never'],
      enumDescriptions: [
        'Races and uninitialised reads, as far as that costs little; the run says where it has not looked.',
        'Everything that `lanewise run --sanitize` finds, everywhere. Runs take several times as long.',
        'Nothing but what comes up by itself.',
      ],
    },
    default: 'auto',
    scope: 'resource',
    description: 'How thoroughly runs look for races, wrong barriers and masks, and uninitialised reads.',
  },
  'lines.metric': {
    schema: {
      type: 'string',
      enum: LINE_METRICS.map(({ id }) => id),
      enumDescriptions: LINE_METRICS.map(({ title, means }) => `${title}: ${means}`),
    },
    default: LINE_METRICS[0].id,
    scope: 'resource',
    description: 'What the bars in the gutter and the texts at line ends show after a run.',
  },
  'lines.lastColumn': {
    schema: { type: 'number', minimum: 20 },
    default: 100,
    scope: 'resource',
    description:
      'Counters at line ends stop before this column; editors side by side share it. Where they do not fit, they stand behind the line above, or are a number alone.',
  },
  inlayHints: {
    schema: { type: 'boolean' },
    default: false,
    scope: 'resource',
    description: 'Show the counters of the costliest lines as inlay hints, which screen readers read. Other editors always get them so.',
  },
  'codeHints.parameters': {
    schema: {
      type: 'string',
      enum: ['none', 'literals', 'all'],
      enumDescriptions: ['No names.', 'At numbers, texts, `true`, `nullptr`.', 'At all arguments whose own name is another one.'],
    },
    default: 'none',
    scope: 'resource',
    description: 'Show the names of parameters at the arguments of calls and launches, where `lanewise.languageFeatures` are on.',
    inDocs:
      "Inlay hints with the names of parameters at the arguments of calls and launches, where `languageFeatures` are on: `none`, `literals` (at numbers, texts, `true`, `nullptr`), `all` (where an argument's own name is another one).",
  },
  'codeHints.types': {
    schema: { type: 'boolean' },
    default: false,
    scope: 'resource',
    description: 'Show the types of variables that are declared with `auto`, where `lanewise.languageFeatures` are on.',
    inDocs: 'Inlay hints with the types of variables that are declared with `auto`, where `languageFeatures` are on.',
  },
  includePaths: {
    schema: TEXTS,
    default: [],
    scope: 'resource',
    description: 'Folders to search for `#include`, besides the folder of the including file. Relative to the workspace folder.',
    inDocs: 'As `includePaths` above, relative to the workspace folder.',
  },
  defines: { schema: TEXTS, default: [], scope: 'resource', description: 'Macros to define: `NAME` or `NAME=VALUE`.' },
  compile: {
    schema: { type: 'boolean' },
    default: false,
    scope: 'resource',
    description:
      'Compile the device code whenever typing pauses, and take what it shows of accesses and branches for the findings, as `lanewise check --compile` does. Trusted workspaces only.',
  },
  languageFeatures: {
    schema: {
      type: 'string',
      enum: LANGUAGE_FEATURES,
      enumDescriptions: LANGUAGE_FEATURES.map((name) => LANGUAGE_FEATURES_DESCRIPTIONS[name]),
    },
    default: 'auto',
    scope: 'resource',
    description:
      'Compile errors as you type, completion and signatures from the built-in Clang (in trusted workspaces only), definitions, references, renaming and the outline.',
    inDocs:
      "Compile errors as you type, completion, signatures and declarations in hovers, from the built-in Clang (in trusted workspaces only); definitions, references, renaming and the outline. `auto`: in VS Code, unless clangd's or Microsoft's extension for C and C++ is there; in other editors, no. `on`, `off`.",
  },
  stepLimit: {
    schema: { type: 'number', minimum: 1 },
    default: DEFAULT_STEP_LIMIT,
    scope: 'resource',
    description: 'Maximum warp instructions per launch: the simulator stops a launch that executes more.',
  },
  'limits.compileSeconds': limit('compileSeconds'),
  'limits.sourceMiB': limit('sourceMiB'),
  'limits.bracketDepth': limit('bracketDepth'),
  'limits.templateDepth': limit('templateDepth'),
  'limits.hostMemoryMiB': limit('hostMemoryMiB'),
  'limits.deviceMemoryMiB': limit('deviceMemoryMiB'),
  'limits.outputMB': limit('outputMB'),
  'limits.files': limit('files'),
  'limits.fileMiB': limit('fileMiB'),
  'limits.pendingLaunches': limit('pendingLaunches'),
  'limits.reportLaunches': limit('reportLaunches'),
  engine: {
    schema: { type: 'string', enum: ENGINE_NAMES, enumDescriptions: ENGINE_NAMES.map((name) => ENGINE_DESCRIPTIONS[name]) },
    default: DEFAULT_ENGINE,
    scope: 'resource',
    description: 'How the simulator executes kernels. Both engines report identical counters.',
    inDocs: '`compiler` (fast) or `interpreter` (slow, for comparison). Both report identical counters.',
  },
  cache: {
    schema: { type: 'boolean' },
    default: true,
    scope: 'resource',
    description: 'Cache compiled programs (up to 256 MB), so that an unchanged program starts at once.',
    inDocs:
      "Cache compiled programs, up to 256 MB, so that an unchanged program starts at once. VS Code uses the extension's storage; `lanewise run` (without `--no-cache`) and other editors use `lanewise` in the user's cache folder: `$XDG_CACHE_HOME`, or `~/.cache`, `~/Library/Caches` (macOS), `%LOCALAPPDATA%` (Windows). You can delete the folder at any time.",
  },
  cudaVersion: {
    schema: { type: 'string', pattern: '^\\d+\\.\\d+$' },
    default: String(DEFAULT_CUDA_VERSION),
    scope: 'resource',
    description: 'The CUDA version that the code targets. APIs that were removed in it or earlier are flagged.',
    inDocs: 'As `cudaVersion` above.',
  },
  rules: {
    schema: { type: 'object', additionalProperties: { type: 'string', enum: SEVERITIES } },
    default: {},
    scope: 'resource',
    description: 'Severity of each rule, by its id: `{ "uncoalesced-access": "error", "double-literal": "off" }`.',
    inDocs: 'As `rules` above.',
  },
  /** Read by the client's library, not by the server. */
  'trace.server': {
    schema: { type: 'string', enum: ['off', 'messages', 'verbose'] },
    default: 'off',
    scope: 'window',
    description: 'Log the communication between the editor and the language server in the output.',
  },
} as const satisfies Readonly<Record<string, Declaration>>;

export type SettingName = keyof typeof SETTINGS;

type TypeOf<Type extends SettingSchema['type']> = {
  string: string;
  number: number;
  boolean: boolean;
  array: readonly string[];
  object: Readonly<Record<string, string>>;
}[Type];

/** Value of a setting in the section `lanewise`: its default where there is none or nonsense. */
export function settingValue<Name extends SettingName>(section: unknown, name: Name): TypeOf<(typeof SETTINGS)[Name]['schema']['type']> {
  const { schema, takesOthers, default: otherwise }: Declaration = SETTINGS[name];
  let value = section;
  for (const key of name.split('.')) value = isObject(value) ? value[key] : undefined;
  return fitting(value, takesOthers ? { type: schema.type } : schema, otherwise) as TypeOf<(typeof SETTINGS)[Name]['schema']['type']>;
}

/** Keeps the entries of lists and tables that fit. */
function fitting(value: unknown, schema: SettingSchema, otherwise: unknown): unknown {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && isAllowed(value, schema) ? value : otherwise;
    case 'number':
      return typeof value === 'number' && value >= (schema.minimum ?? value) ? value : otherwise;
    case 'boolean':
      return typeof value === 'boolean' ? value : otherwise;
    case 'array':
      return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : otherwise;
    case 'object': {
      const allowed = schema.additionalProperties?.enum;
      if (!isObject(value)) return otherwise;
      return Object.fromEntries(Object.entries(value).filter(([, entry]) => allowed?.some((known) => known === entry)));
    }
  }
}

function isAllowed(value: string, { enum: values, pattern }: SettingSchema): boolean {
  return (!values || values.includes(value)) && (!pattern || new RegExp(pattern).test(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function deviceDescription(id: string): string {
  const { name, computeCapability } = deviceNamed(id)!;
  return `${name}, compute capability ${computeCapability.join('.')}`;
}
