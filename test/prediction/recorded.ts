/** Runs a program and keeps what each of its launches was and counted, instruction by instruction. */
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { deviceIds } from '../../devices/devices.ts';
import type { SiteCounters } from '../../simulator/counters/site-counters.ts';
import type { Launch } from '../../simulator/machine/launch.ts';
import type { LoadedModule } from '../../simulator/machine/load-module.ts';
import { DEFAULT_ENGINE, DEFAULT_STEP_LIMIT } from '../../simulator/options/defaults.ts';
import { withDefaults } from '../../simulator/options/limits.ts';
import { runProgram } from '../../simulator/runtime/run-program.ts';
import { type CompiledProgram, compileProgram } from '../../simulator/toolchain/compile.ts';

export interface RecordedLaunch {
  readonly module: LoadedModule;
  readonly launch: Launch;
  readonly counters: SiteCounters;
}

/** Machines that test have other things to do. */
const COMPILE_SECONDS = 150;

export async function compiled(file: string): Promise<CompiledProgram> {
  const program = await compileProgram({ file, includeDirs: [], defines: [], limits: { compileSeconds: COMPILE_SECONDS } });
  if (program.kind !== 'compiled') throw new Error(`${basename(file)}: ${JSON.stringify(program)}`);
  return program;
}

/** Every launch of a program, in order. */
export function recorded(
  file: string,
  { deviceModules, hostModule }: Pick<CompiledProgram, 'deviceModules' | 'hostModule'>,
  args: readonly string[] = [],
): readonly RecordedLaunch[] {
  const launches: RecordedLaunch[] = [];
  const outcome = runProgram({
    deviceModules,
    hostModule,
    args: [basename(file, extname(file)), ...args],
    workingDirectory: dirname(file),
    permissions: { temporary: join(tmpdir(), 'lanewise-prediction'), read: [dirname(file)], write: [], all: false },
    env: {},
    device: deviceIds()[0],
    engine: DEFAULT_ENGINE,
    stepLimit: DEFAULT_STEP_LIMIT,
    limits: withDefaults(),
    everyLaunch: false,
    lineTable: 'caller',
    names: [],
    stdout: () => {},
    stderr: () => {},
    progress: () => {},
    launched: (module, launch, counters) => launches.push({ module, launch, counters }),
  });
  if (outcome.kind !== 'ended') throw new Error(`${basename(file)}: ${outcome.message}`);
  return launches;
}
