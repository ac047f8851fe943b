/** Runs a program as the command line and the editor do: compiled, in a worker, from what the build put into dist/. */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deviceIds } from '../../devices/devices.ts';
import { DEFAULT_ENGINE, DEFAULT_STEP_LIMIT } from '../../simulator/options/defaults.ts';
import { type SimulationRequest, type SimulationResult, startSimulation } from '../../simulator/simulate.ts';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function fixture(name: string): string {
  return join(repository, 'test', 'fixtures', 'runtime', name);
}

export function request(file: string, changes: Partial<SimulationRequest> = {}): SimulationRequest {
  return {
    file,
    args: [],
    includeDirs: [],
    defines: [],
    device: deviceIds()[0],
    engine: DEFAULT_ENGINE,
    stepLimit: DEFAULT_STEP_LIMIT,
    // test/sanitizer/brief.test.ts is about runs as they are unless something is said.
    sanitize: 'off',
    ...changes,
  };
}

export function simulate(file: string, changes: Partial<SimulationRequest> = {}): Promise<SimulationResult> {
  return startSimulation(request(file, changes), {}).result;
}

/** The report of a program that must run to its end. */
export async function reportOf(file: string, changes: Partial<SimulationRequest> = {}) {
  const result = await simulate(file, changes);
  if (result.kind !== 'finished') throw new Error(`${basename(file)}: ${JSON.stringify(result)}`);
  return result.report;
}

/** A program given as text. */
export function textReport(text: string, changes: Partial<SimulationRequest> = {}) {
  return reportOf(fixture('from-text.cu'), { text, ...changes });
}
