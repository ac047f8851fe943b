/** Runs a program and keeps what each of its launches was and counted, instruction by instruction. */
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { deviceIds } from '../devices/devices.ts';
import type { SiteCounters } from '../simulator/counters/site-counters.ts';
import type { Launch } from '../simulator/machine/launch.ts';
import type { LoadedModule } from '../simulator/machine/load-module.ts';
import { DEFAULT_ENGINE, DEFAULT_STEP_LIMIT } from '../simulator/options/defaults.ts';
import { withDefaults } from '../simulator/options/limits.ts';
import { type ProgramOptions, type ProgramOutcome, runProgram } from '../simulator/runtime/run-program.ts';
import { type CompiledProgram, compileProgram } from '../simulator/toolchain/compile.ts';

export interface RecordedLaunch {
  readonly module: LoadedModule;
  readonly launch: Launch;
  readonly counters: SiteCounters;
}

/** Machines that test have other things to do. */
const COMPILE_SECONDS = 150;

/** Sources of one program, the one with kernels first, and what it is compiled and run with. */
export interface RunnableProgram {
  readonly files: readonly string[];
  readonly includeDirs?: readonly string[];
  readonly defines?: readonly string[];
  readonly args?: readonly string[];
  /** What it may read besides the folder of its first source. */
  readonly readable?: readonly string[];
  /** Instructions of warps; launches that had ended count when it is stopped there. */
  readonly stepLimit?: number;
}

export async function compiled({ files: [file, ...others], includeDirs = [], defines = [] }: RunnableProgram): Promise<CompiledProgram> {
  const program = await compileProgram({ file, others, includeDirs, defines, limits: { compileSeconds: COMPILE_SECONDS } });
  if (program.kind !== 'compiled') throw new Error(`${basename(file)}: ${JSON.stringify(program).slice(0, 2000)}`);
  return program;
}

/** Runs a program whose output nobody reads, and tells of its launches. */
export function run(
  { files: [file], args = [], stepLimit = DEFAULT_STEP_LIMIT }: RunnableProgram,
  { deviceModules, hostModule }: Pick<CompiledProgram, 'deviceModules' | 'hostModule'>,
  { permissions, launched }: Pick<ProgramOptions, 'permissions' | 'launched'>,
): Extract<ProgramOutcome, { kind: 'ended' }> {
  const outcome = runProgram({
    deviceModules,
    hostModule,
    args: [basename(file, extname(file)), ...args],
    workingDirectory: dirname(file),
    permissions,
    env: {},
    device: deviceIds()[0],
    engine: DEFAULT_ENGINE,
    stepLimit,
    limits: withDefaults(),
    everyLaunch: false,
    lineTable: 'caller',
    names: [],
    stdout: () => {},
    stderr: () => {},
    progress: () => {},
    launched,
  });
  if (outcome.kind !== 'ended') throw new Error(`${basename(file)}: ${outcome.message}`);
  return outcome;
}

/** Launches of a program that are wanted, in order. */
export function recorded(
  program: RunnableProgram,
  compiledProgram: Pick<CompiledProgram, 'deviceModules' | 'hostModule'>,
  isWanted: (launch: Launch) => boolean = () => true,
): readonly RecordedLaunch[] {
  const launches: RecordedLaunch[] = [];
  const { files, readable = [] } = program;
  const { faults } = run(program, compiledProgram, {
    permissions: { temporary: join(tmpdir(), 'lanewise-prediction'), read: [dirname(files[0]), ...readable], write: [], all: false },
    launched: (module, launch, { counters }) => {
      if (isWanted(launch)) launches.push({ module, launch, counters });
    },
  });
  // What a fault or the limit cut short has the counters of a part.
  return faults.length > 0 ? launches.slice(0, -1) : launches;
}
