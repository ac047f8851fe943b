/** Runs a program and keeps what each of its launches was and counted, instruction by instruction. */
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { deviceIds } from '../devices/devices.ts';
import type { SiteCounters } from '../simulator/counters/site-counters.ts';
import type { Launch } from '../simulator/machine/launch.ts';
import type { LoadedModule } from '../simulator/machine/load-module.ts';
import { DEFAULT_ENGINE, DEFAULT_STEP_LIMIT } from '../simulator/options/defaults.ts';
import { withDefaults } from '../simulator/options/limits.ts';
import { runProgram } from '../simulator/runtime/run-program.ts';
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
  readonly args?: readonly string[];
  /** What it may read besides the folder of its first source. */
  readonly readable?: readonly string[];
  /** Instructions of warps; launches that had ended count when it is stopped there. */
  readonly stepLimit?: number;
}

export async function compiled({ files: [file, ...others], includeDirs = [] }: RunnableProgram): Promise<CompiledProgram> {
  const program = await compileProgram({ file, others, includeDirs, defines: [], limits: { compileSeconds: COMPILE_SECONDS } });
  if (program.kind !== 'compiled') throw new Error(`${basename(file)}: ${JSON.stringify(program)}`);
  return program;
}

/** Launches of a program that are wanted, in order. */
export function recorded(
  { files: [file], args = [], readable = [], stepLimit = DEFAULT_STEP_LIMIT }: RunnableProgram,
  { deviceModules, hostModule }: Pick<CompiledProgram, 'deviceModules' | 'hostModule'>,
  isWanted: (launch: Launch) => boolean = () => true,
): readonly RecordedLaunch[] {
  const launches: RecordedLaunch[] = [];
  const folder = dirname(file);
  const outcome = runProgram({
    deviceModules,
    hostModule,
    args: [basename(file, extname(file)), ...args],
    workingDirectory: folder,
    permissions: { temporary: join(tmpdir(), 'lanewise-prediction'), read: [folder, ...readable], write: [], all: false },
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
    launched: (module, launch, { counters }) => {
      if (isWanted(launch)) launches.push({ module, launch, counters });
    },
  });
  if (outcome.kind !== 'ended') throw new Error(`${basename(file)}: ${outcome.message}`);
  // What a fault or the limit cut short has the counters of a part.
  return outcome.faults.length > 0 ? launches.slice(0, -1) : launches;
}
