/**
 * Compile errors of runs go when their cause goes, wherever it is: a while after the last change to a text, the programs that did not compile
 * are compiled again. Nothing is run.
 */
import type { CompilerRemarks, SimulationRequest } from '../simulator/simulate.ts';
import type { Runs } from './runs.ts';

export interface CompileErrorsParts {
  readonly runs: Pick<Runs, 'withCompileErrors' | 'compiledAgain'>;
  readonly remarks: CompilerRemarks;
  /** As a click would run the program now; undefined where it could not. */
  request(uri: string): Promise<SimulationRequest | undefined>;
  failed(error: unknown): void;
}

/** Who pauses for longer looks at what is written. */
const PAUSE_MS = 1000;

export class CompileErrors {
  private readonly parts: CompileErrorsParts;
  private timer: NodeJS.Timeout | undefined;
  private ending = new AbortController();

  constructor(parts: CompileErrorsParts) {
    this.parts = parts;
  }

  /** A text has changed, open or on the disk. */
  changed(): void {
    this.end();
    if (this.parts.runs.withCompileErrors().length === 0) return;
    this.ending = new AbortController();
    const { signal } = this.ending;
    this.timer = setTimeout(() => {
      this.look(signal).catch((error: unknown) => {
        if (!signal.aborted) this.parts.failed(error);
      });
    }, PAUSE_MS).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { runs, request, remarks } = this.parts;
    for (const uri of runs.withCompileErrors()) {
      const asked = await request(uri);
      if (signal.aborted) return;
      const said = asked && (await remarks(asked, signal));
      if (signal.aborted) return;
      if (said) runs.compiledAgain(uri, said, asked.text);
    }
  }
}
